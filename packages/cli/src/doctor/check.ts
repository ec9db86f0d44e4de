/** One thing that was looked at. */
export interface Check {
  name: string;
  /** `"info"` is neither good nor bad. */
  status: "ok" | "info" | "warn" | "fail";
  finding: string;
  /** What to do about it. */
  advice?: string;
}

export function ok(name: string, finding: string): Check {
  return { name, status: "ok", finding };
}

export function info(name: string, finding: string): Check {
  return { name, status: "info", finding };
}

export function warn(name: string, finding: string, advice: string): Check {
  return { name, status: "warn", finding, advice };
}

export function bad(name: string, finding: string, advice: string): Check {
  return { name, status: "fail", finding, advice };
}

const SKEW_MS = 2000;

/** Writers note the time by their own clock: expiry and grace periods rely on clocks that agree. */
export function clockCheck(skewMs: number, of: string): Check {
  const seconds = (Math.abs(skewMs) / 1000).toFixed(1);
  if (Math.abs(skewMs) < SKEW_MS) return ok("clock", `agrees with ${of} to ${seconds} s`);
  return warn(
    "clock",
    `${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} ${of}`,
    "Let this machine set its clock by NTP: expiry and grace periods rely on clocks that agree.",
  );
}

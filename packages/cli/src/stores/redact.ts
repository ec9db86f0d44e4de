/** Options of a connection string whose value is nobody's business. */
const SECRET_OPTIONS = /(authMechanismProperties|tlsCertificateKeyFilePassword|proxyPassword|proxyUsername)/i;
const CREDENTIALS = /([a-z][a-z0-9+.-]*:\/\/)([^/?#\s]*)@/gi;
const SHORTEST = 3;

/** A URL or a text that holds one, without user names, passwords and keys. */
export function redactUrls(text: string): string {
  return text
    .replace(CREDENTIALS, "$1***@")
    .replace(new RegExp(`(${SECRET_OPTIONS.source}=)[^&\\s]*`, "gi"), "$1***");
}

/** The secrets that an argument holds, as they are written there and as a driver decodes them. */
export function secretsIn(argument: string): string[] {
  const found: string[] = [];
  for (const [, , credentials = ""] of argument.matchAll(CREDENTIALS)) {
    const colon = credentials.indexOf(":");
    found.push(colon === -1 ? credentials : credentials.slice(colon + 1));
  }
  for (const [, name = "", value = ""] of argument.matchAll(/[?&]([^=&]+)=([^&]*)/g))
    if (SECRET_OPTIONS.test(name)) found.push(value);
  return found
    .flatMap((secret) => [secret, decoded(secret)])
    .filter((secret) => secret.length >= SHORTEST)
    .toSorted((a, b) => b.length - a.length);
}

/** A text with every one of the secrets, and every URL's credentials, left out. */
export function redacted(text: string, secrets: readonly string[]): string {
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, "***"), redactUrls(text));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

// Control characters and lone surrogates cannot be written in XML at all, not even as references.
// oxlint-disable-next-line no-control-regex
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** For text and attribute values of XML and HTML alike; what XML cannot hold shows as U+FFFD. */
export function escapeXml(text: string): string {
  return text.replaceAll(unwritable, "\ufffd").replaceAll(/[&<>"']/g, (found) => entities[found] ?? found);
}

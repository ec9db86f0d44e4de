const anId = /\b[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g;

/** Ids are made of the time, folders of chance: numbered and named, they change only where a finding does. */
export function timeless(report: string): string {
  const paragraphs = report.split(/^(?=\*\*`)/m).map((paragraph) => {
    const seen: string[] = [];
    return paragraph.replaceAll(anId, (id) => {
      if (!seen.includes(id)) seen.push(id);
      return `id ${seen.indexOf(id) + 1}`;
    });
  });
  return paragraphs.join("").replaceAll(/[\w/]*\/conformance-\w{6}\b/g, "(folder)");
}

/**
 * The lines of a text that is written over several lines, without the breaks around it and the indentation of its first line. Lines with less
 * indentation stay as they are: they come from another text that stands in this one.
 */
export function lines(text: string): string[] {
  const all = text.replace(/^\n|\n *$/g, '').split('\n')
  const indent = /^ */.exec(all[0] ?? '')?.[0] ?? ''
  return all.map(line => (line.startsWith(indent) ? line.slice(indent.length) : line))
}

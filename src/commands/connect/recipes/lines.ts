/**
 * The lines of a text that is written over several lines: a tag of templates. The breaks around the text go, and so does the indentation of its
 * first line from every line of the template. Values keep theirs.
 */
export function lines(parts: TemplateStringsArray, ...values: readonly string[]): string[] {
  const [, indent = ''] = /^\n( *)/.exec(parts[0] ?? '') ?? []
  const text = parts.map((part, i) => part.replaceAll(`\n${indent}`, '\n') + (values[i] ?? '')).join('')
  return text.replace(/^\n|\n *$/g, '').split('\n')
}

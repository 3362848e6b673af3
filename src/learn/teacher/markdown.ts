/** The paragraphs of Markdown. Code (four spaces) and list items stay lines; marks of emphasis and code go. */
export function paragraphs(markdown: string): string[] {
  const found: string[] = []
  let paragraph = ''
  const end = () => {
    if (paragraph !== '') found.push(paragraph)
    paragraph = ''
  }
  for (const line of markdown.split('\n')) {
    if (line.startsWith('    ')) {
      end()
      found.push(`  ${line.trim()}`)
    } else if (line.trim() === '') {
      end()
    } else {
      if (/^\s*[-*] /.test(line)) end()
      const words = line
        .trim()
        .replace(/\*\*([^*]+)\*\*|`([^`]+)`|(?<!\w)[*_]([^*_]+)[*_](?!\w)/g, (_, a, b, c) => a ?? b ?? c)
      paragraph = paragraph === '' ? words : `${paragraph} ${words}`
    }
  }
  end()
  return found
}

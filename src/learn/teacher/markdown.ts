/**
 * Turns Markdown into the paragraphs of a lesson. Lines of code, which begin with four spaces, and items of lists stay
 * lines of their own; marks of emphasis and code go.
 */
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

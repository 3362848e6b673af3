/** Longest line that is read, in characters. */
const MAX_LINE = 200

/**
 * Reads stdin line by line until it ends. Characters beyond the 200th of a line are dropped. A terminal is not read, because the
 * system stops a program in the background that reads from one.
 * @returns a function that stops reading
 */
export function watchLines(take: (line: string) => void): () => void {
  const { stdin } = process
  if (stdin.isTTY) return () => {}
  let rest = ''
  const data = (chunk: string): void => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!.slice(-MAX_LINE)
    for (const line of lines) take(line.slice(0, MAX_LINE))
  }
  stdin.setEncoding('utf8').on('data', data)
  // An unreadable stdin has no lines. The program goes on.
  stdin.on('error', () => {})
  return () => {
    stdin.off('data', data).destroy()
  }
}

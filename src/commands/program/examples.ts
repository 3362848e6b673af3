/** Help below the options: examples without the program's name, then the exit codes when they are given. */
export function examples(lines: readonly string[], exitCodes?: string): string {
  const list = lines.map(line => `  ${line}\n`).join('')
  return `\nExamples:\n${list}${exitCodes === undefined ? '' : `\nExit codes: ${exitCodes}\n`}`
}

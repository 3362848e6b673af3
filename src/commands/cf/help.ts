/** Help behind the options: examples, then the exit codes that all commands for the API share. */
export function helpAfter(...examples: readonly string[]): string {
  const lines = examples.map(example => `  ${example}\n`).join('')
  return `
Examples:
${lines}
Exit codes: 0 done, 1 refused or nothing matched, 2 usage, 3 no answer of a DNS API, 124 no answer in time
`
}

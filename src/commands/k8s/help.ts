/** Help behind the options: examples, then the exit codes that all commands for clusters share. */
export function helpAfter(...examples: readonly string[]): string {
  const lines = examples.map(example => `  ${example}\n`).join('')
  return `
Examples:
${lines}
Exit codes: 0 done, 1 refused by the cluster or not authenticated, 2 usage, 3 no answer of an API server
`
}

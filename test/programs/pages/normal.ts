/**
 * The lines of a text without the parts that differ from run to run: numbers, ports, paths, random values, lengths of lines. The
 * date goes too, because some moments print it only around midnight. The number of checks is the same in each run, and stays.
 */
export function normal(text: string): string[] {
  return text
    .replace(/\S*\/ca\.pem/g, 'CA')
    .replace(/(\d{4}-)?\d\d-\d\d (?=\d\d:)/g, '')
    .replace(/[\w-]+(…|\.\.\.)[\w-]*/g, 'CUT')
    .replace(/[\w-]{30,}/g, 'LONG')
    .replace(/\d[\d,.:TZ-]*(?![\d,.:TZ-]| checks)/g, '0')
    .replace(/█+[▏▎▍▌▋▊▉]?/g, 'BAR')
    .replace(/[─┄ ]+/g, ' ')
    .trimEnd()
    .split('\n')
    .map(line => line.trim())
}

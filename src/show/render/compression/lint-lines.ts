import { foreign } from '../../../protocol/safe-output/safe.js'
import type { LintCheck, MendedServer } from '../../../servers/compression/lint/requests.js'
import { signsFor } from '../text/signs.js'
import { pad, width, wrap } from '../text/text.js'

const COLUMNS = 80

/** The names of servers in the field Server. */
const SERVERS: readonly (readonly [RegExp, MendedServer])[] = [
  [/nginx|openresty/i, 'nginx'],
  [/apache/i, 'Apache'],
  [/caddy/i, 'Caddy'],
]

/** The directives for the server that sent the answers. All of them for a server that does not name itself. */
function mendLines({ mend = {} }: LintCheck, server: string | undefined): string[] {
  const own = SERVERS.find(([pattern]) => server !== undefined && pattern.test(server))?.[1]
  return Object.entries(mend)
    .filter(([name]) => own === undefined || mend[own] === undefined || name === own)
    .map(([name, directive]) => `${name}: ${directive}`)
}

/** The checks, one by one, with the directives that mend a fault, and a verdict. */
export function lintLines(
  url: string,
  { server, checks }: { readonly server?: string | undefined; readonly checks: readonly LintCheck[] },
  drawing: { readonly ascii: boolean },
): string[] {
  const signs = signsFor(drawing)
  const names = Math.max(...checks.map(({ name }) => width(name)))
  const sign = ({ ok, advice }: LintCheck) => (ok ? signs.done : advice ? signs.look : signs.refused)
  const faults = checks.filter(({ ok, advice }) => !ok && !advice).length
  const advised = checks.filter(({ ok, advice }) => !ok && advice).length
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`
  const indent = ' '.repeat(names + 4)
  const lines = (each: LintCheck) => {
    const [first = '', ...more] = wrap(
      foreign(`${each.detail ?? ''} (${each.rule})`, signs),
      COLUMNS - names - 4,
    )
    return [
      `${sign(each)} ${pad(each.name, names)}  ${first}`,
      ...more.map(line => indent + line),
      ...mendLines(each, server).flatMap(mend =>
        wrap(foreign(mend, signs), COLUMNS - names - 6).map(
          (line, i) => `${indent}${i === 0 ? '' : '  '}${line}`,
        ),
      ),
    ]
  }
  return [
    foreign(url, signs),
    ...checks.flatMap(lines),
    '',
    `${faults === 0 ? signs.done : signs.refused} ${count(faults, 'fault')}, ${count(advised, 'remark')}`,
  ]
}

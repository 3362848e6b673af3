import { exitCodes } from '../../src/commands/program/help-topics.js'
import { FAULTS } from '../../src/servers/authorization-server/endpoints/fault-list.js'
import { filesBelow } from '../support/source-files.js'
import { cell, type Node, nodesOf, source } from './declarations.js'

/** Who raises errors of a folder. */
const sides: ReadonlyArray<readonly [folder: RegExp, side: string]> = [
  [/^src\/servers\/authorization-server\//, 'authorization server'],
  [/^src\/servers\/resource-server\//, 'resource server'],
  [/^src\/(client(?!\/capture)|flows)\//, 'client'],
  [/^src\/protocol\/(oauth|tokens)\//, 'either side'],
]

interface Raised {
  readonly code: string
  readonly side: string
  readonly rule: string
}

const rulePattern = /^(RFC|OpenID|OAuth 2\.0|draft)/

/** A text that is written there, or a constant of the file. */
function textOf(node: Node, code: string): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'Identifier') return undefined
  return new RegExp(`\\bconst ${String(node.name)} = '([^']+)'`).exec(code)?.[1]
}

/** The rule among the arguments of a call: a text of its own, or the member `rule` of an object. */
function ruleIn(args: readonly Node[], code: string): string | undefined {
  const texts = args.flatMap(arg => {
    if (arg.type !== 'ObjectExpression') return textOf(arg, code) ?? []
    return (arg.properties as Node[]).flatMap(each => {
      const { name } = (each.key ?? {}) as { name?: string }
      return name === 'rule' && each.value ? (textOf(each.value as Node, code) ?? []) : []
    })
  })
  return texts.find(each => rulePattern.test(each))
}

/** Every error that is raised by name with a rule beside it. */
function raisedIn(file: string): Raised[] {
  const side = sides.find(([folder]) => folder.test(file))?.[1]
  if (side === undefined) return []
  const { code: text, declarations } = source(file)
  return [...declarations.values()].flatMap(({ node }) =>
    [...nodesOf(node)].flatMap(each => {
      const { name = '' } = (each.callee ?? {}) as { name?: string }
      const isNew = each.type === 'NewExpression' && /^(OAuthError|UnreadableAnswer)$/.test(name)
      // Others make the error from what they are given.
      const isMaker = each.type === 'CallExpression' && /^(refus|invalid|error)/i.test(name)
      if (!isNew && !isMaker) return []
      const args = each.arguments as Node[]
      const code = args[0] && textOf(args[0], text)
      const rule = ruleIn(args, text)
      if (code === undefined || !/^[a-z]+(_[a-z]+)*$/.test(code) || (isMaker && rule === undefined)) return []
      return [{ code, side, rule: rule ?? '' }]
    }),
  )
}

function errorRows(): string[] {
  const raised = filesBelow('src')
    .filter(file => file.endsWith('.ts'))
    .flatMap(raisedIn)
  const codes = [...new Set(raised.map(each => each.code))].sort()
  return codes.map(code => {
    const those = raised.filter(each => each.code === code)
    const unique = (values: readonly string[]) =>
      [...new Set(values)]
        .filter(each => each !== '')
        .sort()
        .join('; ')
    return `| \`${code}\` | ${unique(those.map(each => each.side))} | ${cell(unique(those.map(each => each.rule)))} |`
  })
}

/** docs/reference/errors.md, made of what the program raises. */
export function errorsPage(): string {
  const lines = [
    '# Errors and exit codes',
    '',
    'Made of the program’s sources by `npm run docs`; a test holds it equal to them.',
    '',
    '## Exit codes',
    '',
    '| code | meaning | such as |',
    '|---|---|---|',
    ...exitCodes.map(({ code, what, example }) => `| ${code} | ${cell(what)} | ${cell(example)} |`),
    '',
    '## Errors by name',
    '',
    'A refusal is a result: what happened, which rule, what to do next. What the RFCs name has its name on the wire',
    'too; other names are those of checks that this program’s client makes.',
    '',
    '| error | raised by | rules |',
    '|---|---|---|',
    ...errorRows(),
    '',
    '## Errors that can be asked for',
    '',
    '`oauth-lab serve --fail ENDPOINT:ERROR[:once|:N|:always]`, and `lab.fail(endpoint, error)` of the library.',
    '',
    '| endpoint | errors |',
    '|---|---|',
    ...Object.entries(FAULTS).map(
      ([endpoint, errors]) => `| \`${endpoint}\` | ${errors.map(each => `\`${each}\``).join(', ')} |`,
    ),
  ]
  return `${lines.join('\n')}\n`
}

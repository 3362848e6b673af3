import { LINE_MEANINGS } from '../../src/commands/output/json-lines.js'
import { EVENTS } from '../../src/protocol/event-catalogue.js'
import { OUTCOME_MEMBERS, STEP_MEMBERS } from '../../src/show/render/text/json.js'
import { cell, type Member, membersOf, type Node, type Source, source } from './declarations.js'

type Union = readonly [title: string, file: string, name: string]

/** Where events are declared, by the part of the lab that they are of. */
const ofLab: readonly Union[] = [
  ['Authorization server', 'src/servers/authorization-server/events.ts', 'AuthorizationServerEvent'],
  [
    'Authorization server: backchannel authentication',
    'src/servers/authorization-server/events.ts',
    'BackchannelEvent',
  ],
  ['Authorization server: logout', 'src/servers/authorization-server/events.ts', 'LogoutEvent'],
  ['Registration of clients', 'src/servers/authorization-server/events.ts', 'RegistrationEvent'],
  [
    'Documents of clients',
    'src/servers/authorization-server/client-document-events.ts',
    'ClientDocumentEvent',
  ],
  ['Login and consent', 'src/servers/authorization-server/logins/login-events.ts', 'LoginEvent'],
  ['Second factor', 'src/servers/authorization-server/events.ts', 'SecondFactorEvent'],
  ['Resource server', 'src/servers/resource-server/events.ts', 'ResourceServerEvent'],
  ['Cluster', 'src/servers/kubernetes/emulator/events.ts', 'ClusterEvent'],
  ['DNS and security events', 'src/servers/cloudflare/emulator/events.ts', 'EmulatorEvent'],
  ['Demo client', 'src/servers/demo-client/events.ts', 'DemoClientEvent'],
  ['The lab', 'src/lab/lab-events.ts', 'LabOwnEvent'],
]

/** Where other lines of `--json` are declared, by the command that prints them. */
const ofCommands: readonly Union[] = [
  ['compress proxy', 'src/servers/compression/events.ts', 'ProxyEvent'],
  ['flow and play', 'src/flows/step.ts', 'FlowRecord'],
  ['serve, resource, k8s mount and workshop', 'src/commands/output/json-lines.ts', 'CommandLine'],
  ['workshop, of each fact', 'src/protocol/room/facts.ts', 'Fact'],
]

const meanings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(EVENTS).map(([type, [meaning]]) => [type, meaning])),
  ...LINE_MEANINGS,
}

/** The members that are printed, where not all are. */
const printed: Readonly<Record<string, readonly string[]>> = { step: STEP_MEMBERS, outcome: OUTCOME_MEMBERS }

/** The members of a type, through intersections, extensions and names of the same file. */
function flat(from: Source, node: Node): Member[] {
  switch (node.type) {
    case 'TSParenthesizedType':
      return flat(from, node.typeAnnotation as Node)
    case 'TSIntersectionType':
      return (node.types as Node[]).flatMap(each => flat(from, each))
    case 'TSTypeReference':
    case 'TSInterfaceHeritage': {
      const { name } = (node.typeName ?? node.expression) as { name: string }
      const found = from.declarations.get(name)
      if (found === undefined) throw new Error(`${from.text(node)} is of another file`)
      const { node: declared } = found
      if (declared.type !== 'TSInterfaceDeclaration') return flat(from, declared.typeAnnotation as Node)
      const extended = (declared.extends ?? []) as Node[]
      return [...extended.flatMap(each => flat(from, each)), ...membersOf(from, declared)]
    }
    default:
      return membersOf(from, node)
  }
}

/** The variants of a union, without unions that have a part of their own. */
function variants(node: Node): Node[] {
  if (node.type !== 'TSUnionType') return [node]
  const listed = (each: Node) =>
    ofLab.some(([, , name]) => (each.typeName as { name?: string } | undefined)?.name === name)
  return (node.types as Node[]).filter(each => !listed(each))
}

const namesIn = (signature: string): string[] =>
  [...signature.matchAll(/'([^']+)'/g)].map(each => each[1] ?? '')

function part([title, file, name]: Union): string[] {
  const from = source(file)
  const declared = from.declarations.get(name)
  if (declared === undefined) throw new Error(`${file} declares no ${name}`)
  const events = variants(declared.node.typeAnnotation as Node).flatMap(variant => {
    const members = flat(from, variant)
    const types = namesIn(members.find(each => each.name === 'type')?.signature ?? '')
    const shown = members.filter(each => each.name !== 'type')
    return types.map(type => {
      const order = printed[type]
      const inOrder = order?.flatMap(name => shown.filter(each => each.name === name))
      return { type, members: inOrder ?? shown }
    })
  })
  return [
    `## ${title}`,
    '',
    ...events.flatMap(({ type, members }) => {
      const unique = [...new Map(members.map(each => [each.name, each])).values()]
      return [
        `### ${type}`,
        '',
        `${meanings[type]}.`.replace(/^./, first => first.toUpperCase()),
        '',
        ...(unique.length === 0 ? [] : ['| member | |', '|---|---|']),
        ...unique.map(({ signature, doc }) => `| \`${cell(signature)}\` | ${cell(doc)} |`),
        ...(unique.length === 0 ? [] : ['']),
      ]
    }),
  ]
}

/** The rows of the members that the bus adds to events. */
function stampMembers(): string[] {
  const from = source('src/protocol/events.ts')
  const members = ['RequestStamp', 'LabStamp'].flatMap(name => {
    const declared = from.declarations.get(name)
    if (declared === undefined) throw new Error(`src/protocol/events.ts declares no ${name}`)
    return flat(from, declared.node)
  })
  return members.map(({ signature, doc }) => `| \`${cell(signature)}\` | ${cell(doc)} |`)
}

/** docs/reference/events.md, made of the types that the servers publish by. */
export function eventsPage(): string {
  const head = [
    '# Events',
    '',
    'This page is generated from the types of the events by `npm run docs`; a test holds it equal to them.',
    '',
    'One event is one JSON object: a line of `oauth-lab serve --json`, an event of `lab.events` in the library, a line',
    'of a recorded file. Codes and tokens are cut in the middle. No event holds a secret or a password. A text of more',
    'than 200 characters is cut, and the whole event has less than 8 kB of JSON. A `?` marks a member that may be absent.',
    '',
    'Every event begins with these members:',
    '',
    '| member | |',
    '|---|---|',
    '| `type: string` | The name of the event. |',
    '| `at: string` | ISO 8601 UTC, by the clock of the lab. |',
    ...stampMembers(),
    '',
  ]
  const others = [
    '# Other lines of --json',
    '',
    'Lines of single commands that are no events of a lab. They begin with `type` too; `at` follows in those of',
    '`compress proxy` and `k8s mount`.',
    '',
  ]
  const lines = [...head, ...ofLab.flatMap(part), ...others, ...ofCommands.flatMap(part)]
  return `${lines.join('\n').trimEnd()}\n`
}

import { EVENT_MEANINGS } from '../../src/library/event-meanings.js'
import { cell, type Member, membersOf, type Node, type Source, source } from './declarations.js'

/** Where events are declared, by the part of the lab that they are of. */
const unions = [
  ['Authorization server', 'src/authorization-server/events.ts', 'AuthorizationServerEvent'],
  ['Resource server', 'src/resource-server/events.ts', 'ResourceServerEvent'],
  ['Cluster', 'src/kubernetes/emulator/events.ts', 'ClusterEvent'],
  ['DNS and security events', 'src/cloudflare/emulator/events.ts', 'EmulatorEvent'],
  ['The lab', 'src/lab/lab-events.ts', 'LabOwnEvent'],
] as const

/** The members of a type, through unions of literals, intersections and names of the same file. */
function flat(from: Source, node: Node): Member[] {
  switch (node.type) {
    case 'TSParenthesizedType':
      return flat(from, node.typeAnnotation as Node)
    case 'TSIntersectionType':
      return (node.types as Node[]).flatMap(each => flat(from, each))
    case 'TSTypeReference': {
      const found = from.declarations.get((node.typeName as { name: string }).name)
      if (found === undefined) throw new Error(`${from.text(node)} is of another file`)
      const { node: declared } = found
      return declared.type === 'TSInterfaceDeclaration'
        ? membersOf(from, declared)
        : flat(from, declared.typeAnnotation as Node)
    }
    default:
      return membersOf(from, node)
  }
}

function variants(node: Node): Node[] {
  return node.type === 'TSUnionType' ? (node.types as Node[]) : [node]
}

const namesIn = (signature: string): string[] =>
  [...signature.matchAll(/'([^']+)'/g)].map(each => each[1] ?? '')

function part([title, file, name]: (typeof unions)[number]): string[] {
  const from = source(file)
  const declared = from.declarations.get(name)
  if (declared === undefined) throw new Error(`${file} declares no ${name}`)
  const events = variants(declared.node.typeAnnotation as Node).flatMap(variant => {
    const members = flat(from, variant)
    const types = namesIn(members.find(each => each.name === 'type')?.signature ?? '')
    return types.map(type => ({ type, members: members.filter(each => each.name !== 'type') }))
  })
  return [
    `## ${title}`,
    '',
    ...events.flatMap(({ type, members }) => {
      const unique = [...new Map(members.map(each => [each.name, each])).values()]
      return [
        `### ${type}`,
        '',
        `${EVENT_MEANINGS[type as keyof typeof EVENT_MEANINGS]}.`.replace(/^./, first => first.toUpperCase()),
        '',
        ...(unique.length === 0 ? [] : ['| member | |', '|---|---|']),
        ...unique.map(({ signature, doc }) => `| \`${cell(signature)}\` | ${cell(doc)} |`),
        ...(unique.length === 0 ? [] : ['']),
      ]
    }),
  ]
}

/** docs/events.md, made of the types that the servers publish by. */
export function eventsPage(): string {
  const head = [
    '# Events',
    '',
    'Made of the types of the events by `npm run docs`; a test holds it equal to them.',
    '',
    'One event is one JSON object: a line of `oauth-lab serve --json`, what `lab.events` of the library tells, a line',
    'of a recorded file. `type` comes first, then `at` (ISO 8601 UTC, by the clock of the lab). Codes and tokens are cut',
    'in the middle; secrets and passwords are in none. A `?` marks a member that may be absent.',
    '',
  ]
  return `${[...head, ...unions.flatMap(part)].join('\n').trimEnd()}\n`
}

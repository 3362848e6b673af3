import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow, type Import, importsOf, read, root } from './support/source-files.js'

const sources = filesBelow('src').filter(file => /\.tsx?$/.test(file))
const imports = sources.flatMap(importsOf)

const pure = ['http', 'oauth', 'events', 'bounded-maps']
const emulators = ['kubernetes', 'cloudflare', 'compression']
const belowLab = [
  ...[...pure, 'tokens', 'authorization-server', 'resource-server', ...emulators],
  ...['client', 'demo-client', 'flows', 'render'],
]

/** Files outside the rooms that every room may import. */
const everywhere = ['src/defined.ts', 'src/errors.ts', 'src/trim.ts', 'src/version.ts', 'src/yaml-text.ts']

/** The room of names and sentences about rules, which every room may import. */
const known = 'rules'

/** The imports that a room is allowed, beside itself, the files above and Node. `types` adds rooms for types alone. */
interface Room {
  readonly rooms: readonly string[]
  readonly types?: readonly string[]
  readonly packages?: readonly string[]
}

const rooms: Readonly<Record<string, Room>> = {
  rules: { rooms: [] },
  http: { rooms: [] },
  oauth: { rooms: ['http'] },
  events: { rooms: [] },
  'bounded-maps': { rooms: [] },
  tokens: { rooms: ['oauth'], types: ['http'], packages: ['jose'] },
  saml: { rooms: ['oauth'], types: ['tokens'], packages: ['xml-crypto', '@xmldom/xmldom'] },
  'authorization-server': {
    rooms: ['http', 'oauth', 'tokens', 'events', 'bounded-maps', 'saml'],
    packages: ['jose', '@peculiar/asn1-schema', '@peculiar/asn1-x509'],
  },
  'resource-server': {
    rooms: ['http', 'oauth', 'tokens', 'events'],
    // The MCP server to practise on: the protocol is not what this project teaches, so the official package speaks it.
    packages: ['@modelcontextprotocol/server', 'zod'],
  },
  kubernetes: { rooms: ['http', 'oauth', 'tokens', 'events'], packages: ['jose'] },
  cloudflare: { rooms: ['http', 'oauth', 'tokens', 'events'], packages: ['graphql'] },
  compression: { rooms: ['http', 'oauth', 'tokens', 'events'] },
  client: { rooms: ['http', 'oauth'], packages: ['open', 'parse5', 'tough-cookie', 'xml-crypto'] },
  'demo-client': { rooms: ['http', 'oauth', 'tokens', 'client', 'events', 'bounded-maps'] },
  flows: { rooms: ['http', 'oauth', 'tokens'], types: ['client'] },
  tamper: { rooms: ['http', 'oauth', 'tokens', 'flows'], types: ['client'] },
  doctor: { rooms: ['http', 'oauth', 'tokens', 'flows', 'tamper'], types: ['client'] },
  explain: { rooms: ['http', 'oauth', 'tokens', 'saml'], types: ['flows'], packages: ['@streamparser/json'] },
  record: { rooms: ['http', 'oauth', 'client', 'explain'] },
  render: {
    rooms: ['http', 'tokens'],
    types: ['explain', 'flows', 'doctor', 'saml', 'events', 'oauth', 'attacks', ...emulators],
    packages: ['string-width', 'uqr'],
  },
  lab: {
    rooms: belowLab,
    packages: [
      '@peculiar/asn1-schema',
      '@peculiar/asn1-x509',
      '@peculiar/x509',
      'reflect-metadata',
      'selfsigned',
      'zod',
    ],
  },
  input: { rooms: [] },
  targets: { rooms: [...belowLab, 'lab', 'input'], types: ['tamper'] },
  lessons: { rooms: [...belowLab, 'lab', 'targets'], types: ['attacks'] },
  recording: { rooms: ['http', 'oauth', 'events', 'flows', 'input'] },
  completion: { rooms: [], packages: ['commander'] },
  connect: { rooms: [], types: ['lab'] },
  runs: { rooms: [...belowLab, 'lab', 'input', 'targets', 'tamper'], types: ['doctor'] },
  attacks: { rooms: [...belowLab, 'lab', 'targets'] },
  library: { rooms: [...belowLab, 'lab', 'targets', 'runs'] },
  tui: { rooms: ['render'], types: [...belowLab, 'lab', 'attacks'], packages: ['ink', 'react'] },
  commands: {
    rooms: [
      ...belowLab,
      'lab',
      'input',
      'targets',
      'runs',
      'recording',
      'saml',
      'tamper',
      'doctor',
      'explain',
      'record',
      'lessons',
      'attacks',
      'completion',
      'connect',
      'library',
      'tui',
    ],
    packages: ['commander', 'yaml'],
  },
}

/** Packages that only the commands that need them may load, and only by `await import`. */
const heavy = [
  '@modelcontextprotocol/server',
  '@streamparser/json',
  'ink',
  'react',
  'selfsigned',
  '@peculiar/asn1-schema',
  '@peculiar/asn1-x509',
  '@peculiar/x509',
  'zod',
  'yaml',
  'jose',
  'open',
  'parse5',
  'graphql',
]

/** The half of an emulator's room that speaks to one, ours or the real service, may send. */
const clientPart = /^src\/servers\/(?:kubernetes|cloudflare|compression)\/client\//

/** The wings that have rooms: folders of `src` whose folders stand in the table. */
const wings = ['protocol', 'servers', 'judge', 'session', 'show']

/** The room of `src/<room>/…` or `src/<wing>/<room>/…`; undefined for `src/errors.ts` and the like. */
function roomOf(file: string): string | undefined {
  const [, first = '', second] = file.split('/')
  if (!file.startsWith('src/') || second === undefined) return undefined
  return wings.includes(first) ? second : first
}

function broken({ from, what, kind }: Import): boolean {
  const own = roomOf(from)
  if (own === undefined || what.startsWith('node:') || everywhere.includes(what)) return false
  const { rooms: allowed, types = [], packages = [] } = rooms[own] ?? { rooms: [] }
  if (!what.startsWith('src/')) return !packages.includes(what)
  const other = roomOf(what) ?? what
  if (other === known) return false
  if (other === 'client' && clientPart.test(from)) return false
  return other !== own && !allowed.includes(other) && !(kind === 'type' && types.includes(other))
}

const written = ({ from, what, kind }: Import) => `${from} → ${what} (${kind})`

describe('the rooms', () => {
  it('are all in the table', () => {
    expect(new Set(sources.map(roomOf).filter(room => room !== undefined && !(room in rooms)))).toEqual(
      new Set(),
    )
  })

  it('import only what the table lets them', () => {
    expect(imports.filter(broken).map(written)).toEqual([])
  })

  it('import files that are there', () => {
    const missing = imports.filter(({ what }) => what.startsWith('src/') && !existsSync(join(root, what)))
    expect(missing.map(written)).toEqual([])
  })

  it('know React in tui alone', () => {
    const strays = imports.filter(
      ({ from, what }) => (what === 'ink' || what === 'react') && roomOf(from) !== 'tui',
    )
    expect(strays.map(written)).toEqual([])
  })

  it('send HTTP requests by one client', () => {
    // The page of the callback listener calls the fetch of the browser, in a text.
    const sends =
      /import [^;]*?\b(?:request|get|Agent)\b[^;]*? from 'node:https?'|(?<![.\w])https?\.(?:request|get|Agent)\b|= await fetch\(/
    expect(sources.filter(file => sends.test(read(file)))).toEqual(['src/client/transport/connection.ts'])
  })

  it('use only packages that package.json names in one version; what is no dependency becomes a part of dist', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
      'dependencies' | 'devDependencies',
      Record<string, string>
    >
    const named = { ...dependencies, ...devDependencies }
    const used = new Set(imports.map(each => each.what).filter(what => !/^(src\/|node:)/.test(what)))
    expect([...used].filter(name => !/^\d+\.\d+\.\d+$/.test(named[name] ?? ''))).toEqual([])
    expect(Object.keys(dependencies).filter(name => !used.has(name))).toEqual([])
  })
})

describe('cli.ts', () => {
  it('and the commands it loads reach no heavy package without await import', () => {
    const loaded = ['src/commands/cli.ts', 'src/commands/command-list.ts']
      .flatMap(importsOf)
      .filter(({ what, kind }) => kind !== 'type' && what.startsWith('src/'))
      .map(each => each.what)
    const reached = new Map(['src/commands/cli.ts', ...loaded].map(file => [file, file]))
    for (const [file, way] of reached) {
      for (const { what, kind } of importsOf(file)) {
        if (kind !== 'static' || reached.has(what)) continue
        if (heavy.includes(what)) expect.fail(`${way} → ${what}`)
        if (what.startsWith('src/')) reached.set(what, `${way} → ${what}`)
      }
    }
    expect(reached.size).toBeGreaterThan(10)
  })
})

const registry = 'https://registry.npmjs.org/'

describe('every file', () => {
  const folders = ['src', 'test', 'bin', 'scripts', 'fixtures', '.ci']
  const files = filesBelow(...folders, 'README.md', 'CHANGELOG.md', 'package.json')
  const lines = files.flatMap(file =>
    read(file)
      .split('\n')
      .map((line, i) => ({ where: `${file}:${i + 1}`, line })),
  )
  const matching = (pattern: RegExp) => lines.filter(({ line }) => pattern.test(line)).map(each => each.where)

  it('has at most 300 lines, a table of tests at most 600', () => {
    const limit = (file: string) => (file.endsWith('.test.ts') ? 600 : 300)
    // The index of rules has a line for each, and is written by npm run docs.
    const program = files.filter(
      file => /\.(ts|tsx|js)$/.test(file) && file !== 'src/protocol/rules/places.ts',
    )
    expect(program.filter(file => read(file).trimEnd().split('\n').length > limit(file))).toEqual([])
  })

  it('is finished: nothing left to do, no test run alone, no rule of the compiler switched off', () => {
    // Written in halves, so that this file is not its own finding.
    expect(matching(new RegExp(`\\b(TO${'DO'}|FIX${'ME'}|X${'XX'})\\b`))).toEqual([])
    expect(matching(new RegExp(`\\b(it|test|describe)\\.on${'ly'}\\b`))).toEqual([])
    expect(matching(new RegExp(`@ts-(ig${'nore'}|no${'check'}|expect-er${'ror'})`))).toEqual([])
    expect(matching(new RegExp(`(:\\s*|\\bas\\s+|<)an${'y'}\\b(?!['\\w ])`))).toEqual([])
  })

  it('names no machine, folder or person it was written on', () => {
    expect(matching(/(?<!\btui|\.)\/(home|Users)\/(?!(you|me)\b)[a-z]|\/root\/|\bissue \d+/)).toEqual([])
  })

  it('is locked to the public registry', () => {
    const locks = ['package-lock.json', ...files.filter(file => file.endsWith('/package-lock.json'))]
    const elsewhere = locks.flatMap(file => {
      const { packages } = JSON.parse(read(file)) as { packages: Record<string, { resolved?: string }> }
      return Object.entries(packages)
        .filter(([, { resolved = registry }]) => !resolved.startsWith(registry))
        .map(([name]) => `${file}: ${name}`)
    })
    expect(elsewhere).toEqual([])
  })
})

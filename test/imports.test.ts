import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow, type Import, importsOf, read, root } from './support/source-files.js'

const sources = filesBelow('src').filter(file => /\.tsx?$/.test(file))
const imports = sources.flatMap(importsOf)

/** The imports that a wing or room is allowed, beside itself and Node. `types` adds those allowed for types alone. */
interface Allowed {
  readonly below: readonly string[]
  readonly types?: readonly string[]
}

/** The wings: folders of `src`, each a floor of its own. An arrow runs down only. */
const wings: Readonly<Record<string, Allowed>> = {
  protocol: { below: [] },
  client: { below: ['protocol'] },
  servers: { below: ['protocol', 'client'] },
  flows: { below: ['protocol'], types: ['client'] },
  lab: { below: ['protocol', 'servers', 'client'] },
  session: { below: ['protocol', 'servers', 'client', 'flows', 'lab'] },
  judge: { below: ['protocol', 'servers', 'client', 'flows', 'lab', 'session'] },
  learn: { below: ['protocol', 'servers', 'client', 'flows', 'lab', 'session', 'judge'] },
  show: { below: ['protocol'], types: ['servers', 'client', 'flows', 'session', 'judge', 'learn'] },
  commands: {
    below: ['protocol', 'servers', 'client', 'flows', 'lab', 'session', 'judge', 'learn', 'show'],
  },
}

/** Inside wings whose rooms stand beside each other: the rooms of the same wing that a room may import. */
const rooms: Readonly<Record<string, Allowed>> = {
  'protocol/rules': { below: [] },
  'protocol/http': { below: ['protocol/rules'] },
  'protocol/safe-output': { below: ['protocol/http'] },
  'protocol/oauth': { below: ['protocol/rules', 'protocol/http'] },
  'protocol/tokens': { below: ['protocol/rules', 'protocol/oauth', 'protocol/http'] },
  'protocol/room': { below: [] },
  'protocol/saml': { below: ['protocol/rules', 'protocol/oauth'], types: ['protocol/tokens'] },
  'servers/authorization-server': { below: [] },
  'servers/resource-server': { below: [] },
  'servers/kubernetes': { below: [] },
  'servers/cloudflare': { below: [] },
  'servers/compression': { below: [] },
  'servers/demo-client': { below: [] },
  'servers/room': { below: [] },
  'judge/tamper': { below: [] },
  'judge/doctor': { below: ['judge/tamper'] },
  'judge/attacks': { below: ['judge/tamper'] },
  'judge/explain': { below: [] },
  'show/render': { below: [] },
  'show/tui': { below: ['show/render'] },
}

/** The parts of the servers that speak to one, ours or the real service, and so may send. */
const sends = /^src\/servers\/(?:demo-client|(?:kubernetes|cloudflare|compression)\/client)\//

/** The wings that a package is for. */
const packages: Readonly<Record<string, readonly string[]>> = {
  jose: ['protocol', 'servers'],
  'xml-crypto': ['protocol', 'client'],
  '@xmldom/xmldom': ['protocol'],
  '@peculiar/asn1-schema': ['servers', 'lab'],
  '@peculiar/asn1-x509': ['servers', 'lab'],
  '@peculiar/x509': ['lab'],
  'reflect-metadata': ['lab'],
  selfsigned: ['lab'],
  zod: ['lab', 'servers'],
  // The MCP server to practise on: the protocol is not what this project teaches, so the official package speaks it.
  '@modelcontextprotocol/server': ['servers'],
  graphql: ['servers'],
  open: ['client'],
  parse5: ['client'],
  'tough-cookie': ['client'],
  '@streamparser/json': ['judge'],
  yauzl: ['judge'],
  'string-width': ['show'],
  uqr: ['show', 'servers'],
  ink: ['show'],
  react: ['show'],
  commander: ['commands'],
  yaml: ['protocol', 'commands'],
}

/** Packages that only the commands that need them may load, and only by `await import`. */
const heavy = [
  '@modelcontextprotocol/server',
  '@streamparser/json',
  'yauzl',
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

/** The wing of `src/<wing>/…`; undefined for `src/index.ts`. */
const wingOf = (file: string) => /^src\/([^/]+)\//.exec(file)?.[1]

/** The room of `src/<wing>/<room>/…`, where its wing has rooms in the table. */
function roomOf(file: string): string | undefined {
  const room = /^src\/([^/]+\/[^/]+)\//.exec(file)?.[1]
  return room !== undefined && room in rooms ? room : undefined
}

const allows = (allowed: Allowed | undefined, other: string, kind: Import['kind']): boolean =>
  allowed !== undefined &&
  (allowed.below.includes(other) || (kind === 'type' && (allowed.types ?? []).includes(other)))

function broken({ from, what, kind }: Import): boolean {
  const own = wingOf(from)
  if (own === undefined || /^(?:node:|content\/)/.test(what)) return false
  if (!what.startsWith('src/')) return !packages[what]?.includes(own)
  const other = wingOf(what) ?? what
  if (other !== own) {
    if (own === 'servers' && other === 'client' && kind !== 'type') return !sends.test(from)
    return !allows(wings[own], other, kind)
  }
  const [ownRoom, otherRoom] = [roomOf(from), roomOf(what)]
  // Files beside the rooms of the protocol are below all of them.
  if (own === 'protocol' && ownRoom === undefined) return otherRoom !== undefined && kind !== 'type'
  if (ownRoom === undefined || otherRoom === undefined || ownRoom === otherRoom) return false
  return !allows(rooms[ownRoom], otherRoom, kind)
}

const written = ({ from, what, kind }: Import) => `${from} → ${what} (${kind})`

describe('the wings', () => {
  it('are all in the table, ten of them, and so are the rooms of wings that have rooms', () => {
    const found = new Set(sources.map(wingOf).filter(wing => wing !== undefined))
    expect([...found].sort()).toEqual(Object.keys(wings).sort())
    const withRooms = Object.keys(rooms).map(room => room.split('/', 1)[0])
    const missing = sources.filter(
      file => withRooms.includes(wingOf(file)) && file.split('/').length > 3 && roomOf(file) === undefined,
    )
    expect(missing).toEqual([])
  })

  it('import only what the table lets them', () => {
    expect(imports.filter(broken).map(written)).toEqual([])
  })

  it('import files that are there', () => {
    const missing = imports.filter(({ what }) => what.startsWith('src/') && !existsSync(join(root, what)))
    expect(missing.map(written)).toEqual([])
  })

  it('know React in show/tui alone', () => {
    const strays = imports.filter(
      ({ from, what }) => (what === 'ink' || what === 'react') && roomOf(from) !== 'show/tui',
    )
    expect(strays.map(written)).toEqual([])
  })

  it('send HTTP requests by one client', () => {
    // The page of the callback listener calls the fetch of the browser, in a text.
    const sending =
      /import [^;]*?\b(?:request|get|Agent)\b[^;]*? from 'node:https?'|(?<![.\w])https?\.(?:request|get|Agent)\b|= await fetch\(/
    expect(sources.filter(file => sending.test(read(file)))).toEqual(['src/client/transport/connection.ts'])
  })

  it('use only packages that package.json names in one version; what is no dependency becomes a part of dist', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
      'dependencies' | 'devDependencies',
      Record<string, string>
    >
    const named = { ...dependencies, ...devDependencies }
    const used = new Set(
      imports.map(each => each.what).filter(what => !/^(src\/|content\/|node:)/.test(what)),
    )
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

describe('what leaves the program', () => {
  const sources = filesBelow('src').filter(file => /\.tsx?$/.test(file))
  const WRITER = 'src/session/output/writer.ts'

  it('goes through the one writer, which makes text from outside safe', () => {
    // Questions are asked through the readline of Node, and screens are drawn by Ink.
    const harmless =
      /output: process\.std(?:out|err)\b|stdout = process\.stdout\b|process\.std(?:out|err)\.(?:isTTY|columns|rows|on)\b|\{ [^{}]*\bcolumns\b[^{}]* \} = process\.std(?:out|err)\b/g
    const ways =
      /\bprocess\.std(?:out|err)\b|\bstd(?:out|err)\b[^={}]*\} = process\b|\bconsole\.\w|\bwriteSync\([12],/
    const found = sources.filter(file => {
      const code = read(file)
        .split('\n')
        .filter(line => !/^\s*(?:\/\/|\/?\*)/.test(line))
      return code.some(line => ways.test(line.replace(harmless, '')))
    })
    // A script that people run writes its own output; a recorder looks for a terminal; a menu waits for a key.
    const scripts = [
      'src/client/capture/program.ts',
      'src/show/render/curl/curl-proofs.ts',
      'src/show/tui/home/child.ts',
    ]
    expect(found.toSorted()).toEqual([...scripts, WRITER].toSorted())
  })

  it('leaves only these values as they are', () => {
    const exact = sources.filter(file => /\bwriteExact\(/.test(read(file)) && file !== WRITER)
    expect(exact.toSorted()).toEqual([
      'src/commands/connect/connect-run.ts',
      'src/commands/endpoints/call-run.ts',
      'src/commands/endpoints/token-run.ts',
      'src/commands/flow/flow-output.ts',
      'src/commands/jose/jwt-sign.ts',
      'src/commands/jose/jwt-verify.ts',
      'src/commands/k8s/token.ts',
      'src/commands/keys.ts',
    ])
  })
})

const registry = 'https://registry.npmjs.org/'

describe('every file', () => {
  const folders = ['src', 'content', 'test', 'bin', 'scripts', 'fixtures', '.ci']
  const files = filesBelow(...folders, 'README.md', 'CHANGELOG.md', 'package.json')
  const lines = files.flatMap(file =>
    read(file)
      .split('\n')
      .map((line, i) => ({ where: `${file}:${i + 1}`, line })),
  )
  const matching = (pattern: RegExp) => lines.filter(({ line }) => pattern.test(line)).map(each => each.where)

  it('has at most 500 lines, a table of tests at most 600', () => {
    const limit = (file: string) => (file.endsWith('.test.ts') ? 600 : 500)
    const program = files.filter(file => /\.(ts|tsx|js)$/.test(file))
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

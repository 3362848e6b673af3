import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { labFileJsonSchema } from '../../../../src/lab/lab-file/lab-file.js'
import { cleanEnv, run } from '../../../support/program.js'
import { sharedFolder } from '../../../support/shared.js'
import { importsOf, read, root } from '../../../support/source-files.js'

/** A project that has this package, as npm installs it, and the types of Node. */
const place = sharedFolder()
beforeAll(() => {
  mkdirSync(join(place.path, 'node_modules/@types'), { recursive: true })
  symlinkSync(root, join(place.path, 'node_modules/oauth-lab'), 'dir')
  for (const name of ['@types/node', 'undici-types']) {
    symlinkSync(join(root, 'node_modules', name), join(place.path, 'node_modules', name), 'dir')
  }
})

function writeProject(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place.path, name), text)
}

const typed = `
import { type EventOf, FlowError, type Lab, type LabFile, startLab, type Tokens } from 'oauth-lab'

const config: LabFile = { stage: 'published-keys', users: [{ username: 'dora', password: 'explorer' }] }
const lab: Lab = await startLab({ config, now: new Date(), ports: { authorization: 0 } })
const tokens: Tokens = await lab.login({ client: 'demo', user: 'dora', scope: 'openid' })
const kept: string = tokens.access_token
const ended: () => void = lab.events.on('code.issued', event => {
  const code: string = event.code
  const at: string = event.at
  console.log(code, at, kept)
})
const issued: EventOf<'token.issued'> = await lab.events.next('token.issued')
const how: 'Bearer' | 'DPoP' | 'mac' = issued.token_type
for await (const event of lab.events) if (event.type === 'request.answered') console.log(event.status, how)
for await (const record of lab.flow('password')) if (record.type === 'step') console.log(record.exchange?.ms)
const heal: () => void = lab.fail('token', 'invalid_grant', { times: 2 })
try {
  await lab.clientCredentials({ client: 'demo-service' })
} catch (error) {
  if (error instanceof FlowError) console.log(error.rule, error.steps.length)
}
heal()
ended()
await lab.addClient({ client_id: 'late', redirect_uris: ['https://app.example/cb'] })
lab.clock.advance('1h')
const page: Response = await lab.fetch(new URL('/', lab.urls.authorization))
console.log(lab.ca.pem, lab.ca.path, page.status)
await lab.removeClient('late')
await lab.removeUser('dora')
const scopes: string[] = lab.events.past('token.issued').map(event => event.scope)
lab.events.on('*', event => {
  switch (event.type) {
    case 'code.issued':
      return scopes.push(event.code)
    case 'dns.record_created':
      return scopes.push(event.name)
    case 'resource.refused':
      return scopes.push(String(event.status))
  }
})
await lab.stop()
const few = await startLab({ sites: ['dns'], config: { cluster: { public_discovery: true }, dns: { zones: [] } } })
const two: readonly [string, string] = [few.urls.authorization, few.urls.dns]
console.log(two)
// Each of these is a mistake.
await startLab({ config: { stage: 'finished' } })
lab.fail('token', 'login_required')
lab.events.on('code.lost', () => {})
await lab.addUser({ name: 'dora' })
console.log(few.urls.cluster)
await startLab({ config: { cluster: { public: true } } })
await startLab({ config: { dns: { zones: [{ name: 'example.com' }] } } })
lab.events.on('code.issued', event => event.status)
`

const required = `
import lab = require('oauth-lab')
import { startLab, type Lab } from 'oauth-lab'

const started: Promise<lab.Lab> = lab.startLab({ now: new Date() })
started.then((each: Lab) => each.stop())
// A mistake.
startLab({ config: { stage: 'finished' } })
`

const settings = (file: string, module = 'NodeNext') => ({
  compilerOptions: {
    module,
    target: 'ES2022',
    lib: ['ES2023', 'ESNext.Disposable'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  },
  files: [file],
})

/** Checks the types of a program. Returns the lines that have errors, such as `consumer.ts:7`, and what tsc printed. */
async function errorLines(): Promise<{ lines: string[]; stdout: string }> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [tsc, '-p', place.path], { env: cleanEnv(place.path) })
  const lines = [...stdout.matchAll(/^(\S+?)\((\d+),/gm)].map(([, file, line]) => `${file}:${line}`)
  return { lines, stdout }
}

describe('the types of the library', () => {
  it('compile for NodeNext with nothing but the types of Node, and refuse what is wrong', async () => {
    writeProject({
      'package.json': '{ "type": "module" }',
      'consumer.ts': typed,
      'tsconfig.json': JSON.stringify(settings('consumer.ts')),
    })
    const first = typed.split('\n').findIndex(line => line.includes('Each of these')) + 2
    const { lines, stdout } = await errorLines()
    expect(lines, stdout).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map(n => `consumer.ts:${first + n}`))
  })

  it.each(['Node16', 'NodeNext'])('compile for require from CommonJS, module %s', async module => {
    writeProject({
      'package.json': '{ "type": "commonjs" }',
      'required.ts': required,
      'tsconfig.json': JSON.stringify(settings('required.ts', module)),
    })
    const mistake = required.split('\n').findIndex(line => line.includes('A mistake')) + 2
    const { lines, stdout } = await errorLines()
    expect(lines, stdout).toEqual([`required.ts:${mistake}`])
  })

  it('have each key of the schema of the lab file, at every level', async () => {
    const schema = labFileJsonSchema() as JsonSchema
    writeProject({
      'package.json': '{ "type": "module" }',
      'full.ts': `import type { LabFile } from 'oauth-lab'\nexport const full: LabFile = ${JSON.stringify(sample(schema, schema.$defs))}`,
      'tsconfig.json': JSON.stringify(settings('full.ts')),
    })
    const { lines, stdout } = await errorLines()
    expect(lines, stdout).toEqual([])
  })
})

interface JsonSchema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | false
}

const VALUES: Readonly<Record<string, unknown>> = { string: 'a', number: 1, integer: 1, boolean: true }

/** A value with every member that a schema has. A type that refers to itself ends there: `known` is without it below. */
function sample(schema: JsonSchema, known: JsonSchema['$defs']): unknown {
  if (schema.$ref !== undefined) {
    const target = known?.[schema.$ref.slice('#/$defs/'.length)]
    return target === undefined ? { type: 'string' } : sample(target, {})
  }
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return sample(schema.anyOf.at(-1)!, known)
  if (schema.items !== undefined) return [sample(schema.items, known)]
  if (schema.type !== 'object') return VALUES[[schema.type ?? 'string'].flat()[0]!]
  const members = Object.entries(schema.properties ?? { any: schema.additionalProperties as JsonSchema })
  return Object.fromEntries(members.map(([name, each]) => [name, sample(each, known)]))
}

describe('the library', () => {
  const sources = new Set(['src/index.ts'])
  for (const file of sources) {
    for (const { what, kind } of importsOf(file)) {
      if (kind !== 'type' && what.startsWith('src/')) sources.add(what)
    }
  }

  it('loads no screen, no command and none of their packages', () => {
    const strays = [...sources].filter(file => /^src\/(show\/tui|commands)\//.test(file))
    expect(strays).toEqual([])
    expect(sources.size).toBeGreaterThan(100)
  })

  it('is there for require as well', () => {
    const { startLab } = createRequire(join(root, 'package.json'))('oauth-lab') as Record<string, unknown>
    expect(startLab).toBeTypeOf('function')
  })

  it('does what the README says', async () => {
    const [, program = ''] = /^```js\n(.*?)^```$/ms.exec(read('README.md')) ?? []
    const { code, stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', program], {
      env: cleanEnv(place.path),
      cwd: root,
    })
    expect([code, stdout], stderr).toEqual([0, "{ sub: 'dora' }\n1\n"])
  })

  it('runs under node:test, by its name', async () => {
    const env = cleanEnv(place.path)
    const test = ['--test', '--test-reporter=tap', join(root, 'examples/node-test.test.js')]
    const { code, stdout, stderr } = await run(process.execPath, test, { env, cwd: root })
    expect(code, stdout + stderr).toBe(0)
    expect(stdout).toMatch(/# pass 2/)
    expect(stdout).toMatch(/# fail 0/)
  })
})

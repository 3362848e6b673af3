import { afterAll, beforeAll, expect, it } from 'vitest'
import { cleanEnv, launcher, run, temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'
import { type ExampleServer, exampleServer } from './example-server.js'

interface Report {
  readonly findings: ReadonlyArray<{
    readonly name: string
    readonly result: string
    readonly detail: string
  }>
}

describeWith([rigs], 'the doctor at the example server of the TypeScript SDK', () => {
  const home = temporaryFolder()
  let server: ExampleServer
  beforeAll(async () => {
    server = await exampleServer(home.path)
  })
  afterAll(() => {
    server?.stop()
    home.remove()
  })

  it('names its faults, and passes what it does right', async () => {
    const args = [launcher, 'doctor', '--mcp', server.url, '--json']
    const { stdout, stderr, code } = await run(process.execPath, args, { env: cleanEnv(home.path) })
    const { findings } = JSON.parse(stdout) as Report
    const of = (result: string) => findings.filter(each => each.result === result).map(({ name }) => name)
    expect(of('fault'), stderr).toEqual([
      // It answers 500 to a token that it does not know, and any page of the web.
      'mcp-made-up-token',
      'mcp-foreign-origin',
      'https',
      'fragment-redirect-registration',
      'http-redirect-registration',
      'foreign-software-statement',
      'both-key-sources',
    ])
    expect(of('weakness')).toEqual(['mcp-iss'])
    // Its authorization server answers 500 to a resource that it does not know.
    expect(of('not_tried')).toEqual(['other-audience'])
    expect(of('pass')).toEqual(
      expect.arrayContaining([
        'mcp-unauthenticated',
        'mcp-metadata',
        'mcp-pkce',
        'honest-flow',
        'token-in-query',
      ]),
    )
    expect(code).toBe(1)
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run, temporaryFolder } from '../../support/program.js'
import { pythonWith } from '../../support/python.js'
import { describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'

const TOKEN = 'initial-access-token-0123456789'
const file = (name: string) => join(import.meta.dirname, name)

let open: Serving
let guarded: Serving
const folder = temporaryFolder()

beforeAll(async () => {
  const labFile = join(folder.path, 'lab.yaml')
  writeFileSync(labFile, `registration: token\nregistration_tokens: [${TOKEN}]\n`)
  ;[open, guarded] = await Promise.all([serve(), serve(['--config', labFile])])
})
afterAll(async () => {
  await Promise.all([open?.remove(), guarded?.remove()])
  folder.remove()
})

/** Runs a program that trusts the CA of a lab, and returns the JSON that it prints. */
async function runClient(lab: Serving, command: readonly [string, ...string[]]): Promise<unknown> {
  const [program, ...args] = command
  const { code, stdout, stderr } = await run(program, args, {
    env: { ...lab.env, NODE_EXTRA_CA_CERTS: lab.ready.ca },
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

describeWith([rigs], 'client libraries register themselves, unchanged', () => {
  it.each([
    ['client_secret_basic', true],
    ['client_secret_post', true],
    ['', true],
    ['none', false],
  ])('openid-client 6, %s: log in, read, update, delete', async (method, hasSecret) => {
    const issuer = open.ready.urls.authorization
    const client = file('registration-openid-client.js')
    expect(await runClient(open, [process.execPath, client, issuer, method])).toEqual({
      aud: true,
      hasSecret,
      userinfo: expect.objectContaining({ sub: 'alice', email: 'alice@example.com' }),
      read: 'Registered by openid-client',
      updated: 'New name',
      deleted: 204,
      gone: 401,
      refused: { status: 400, error: 'invalid_redirect_uri' },
    })
    const types = (await open.events()).map(each => each.type)
    for (const type of ['client.registered', 'client.updated', 'client.deleted', 'registration.refused']) {
      expect(types).toContain(type)
    }
  })

  it.each(['open', 'token'])(
    'oauth4webapi, with a key and a pairwise subject: registration %s',
    async mode => {
      const [lab, token] = mode === 'open' ? [open, ''] : [guarded, TOKEN]
      const client = file('registration-oauth4webapi.js')
      const { authorization: issuer } = lab.ready.urls
      expect(await runClient(lab, [process.execPath, client, issuer, token])).toEqual({
        isPseudonym: true,
        sameSub: true,
        email: 'alice@example.com',
        hasSecret: false,
        refused: { status: 400, error: 'invalid_redirect_uri' },
      })
    },
  )
})

describeWith(['python3'], 'a Python client registers itself, unchanged', () => {
  it('Authlib: registered by its own rules, logs in, refreshes, reads, updates, deletes', async ({
    skip,
  }) => {
    const python = await pythonWith('registration-clients', file('registration-requirements.txt'))
    if (python === undefined) return skip('Authlib cannot be installed from PyPI')
    const { ca, urls } = open.ready
    const answered = await runClient(open, [
      python,
      file('registration-authlib.py'),
      ...[urls.authorization, ca],
    ])
    expect(answered).toEqual({
      status: 201,
      sub: 'alice',
      refreshed: true,
      same: true,
      updated: 'New name',
      deleted: 204,
      refused: [400, 'invalid_redirect_uri'],
    })
  }, 300_000)
})

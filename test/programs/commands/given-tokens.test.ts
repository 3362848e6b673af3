import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ends } from '../../commands/support.js'
import { jsonLines, runProgram } from '../../support/program.js'
import { sharedFolder, sharedLab } from '../../support/shared.js'

// Tokens that a person has already: from stdin or a file, never in the command line.
const folder = sharedFolder()
const lab = sharedLab()
const at = (name: string) => join(folder.path, name)
const details = JSON.stringify([{ type: 'account_information', actions: ['list_accounts'] }])

interface Line {
  readonly name?: string
  readonly outcome?: string
  readonly tokens?: Readonly<Record<'access_token' | 'refresh_token', string>>
  readonly exchange?: { readonly request: { readonly url: string; readonly body: string } }
}

const run = (args: readonly string[], input = '') => runProgram(args, { env: lab.env, input })

/** Runs a flow; its lines, its outcome and the form of its first token request. */
async function flow(args: readonly string[], input = '') {
  const { code, stdout, stderr } = await run(['flow', ...args, '--json', '--show-secrets'], input)
  const lines = jsonLines(stdout) as Line[]
  const sent = lines.find(({ exchange }) => exchange?.request.url.endsWith('/token'))?.exchange?.request.body
  return { code, stderr, lines, last: lines.at(-1), form: new URLSearchParams(sent) }
}

/** Tokens of a new login, the refresh token in `refresh.txt`, the access token in `access.txt`. */
async function login(more: readonly string[] = []) {
  const { last, stderr } = await flow(['code', '--client', 'demo', ...more])
  expect(last?.outcome, stderr).toBe('granted')
  writeFileSync(at('refresh.txt'), `${last?.tokens?.refresh_token}\n`)
  writeFileSync(at('access.txt'), `${last?.tokens?.access_token}\n`)
  return last?.tokens as NonNullable<Line['tokens']>
}

describe('a refresh token of the person', () => {
  it.each(['-', 'file'])('is used once, without a login, from %s', async way => {
    const { refresh_token: token } = await login()
    const value = way === '-' ? '-' : `@${at('refresh.txt')}`
    const input = way === '-' ? token : ''
    const args = ['refresh', '--refresh-token', value, '--scope', 'records:read']
    const { lines, last, form } = await flow(args, input)
    expect(last?.outcome).toBe('granted')
    expect(Object.fromEntries(form)).toMatchObject({ refresh_token: token, scope: 'records:read' })
    expect(last?.tokens?.refresh_token).not.toBe(token)
    expect(lines.filter(({ exchange }) => exchange?.request.url.endsWith('/token'))).toHaveLength(1)
    const rotated = await flow(['refresh', '--refresh-token', '-'], last?.tokens?.refresh_token)
    expect(rotated.last?.outcome, 'no thief used it').toBe('granted')
  })

  it('may ask for fewer details than were authorized', async () => {
    await login(['--authorization-details', details])
    const args = ['refresh', '--refresh-token', `@${at('refresh.txt')}`, '--authorization-details', details]
    const { last, form } = await flow(args)
    expect(last?.outcome).toBe('granted')
    expect(form.get('authorization_details')).toBe(details)
  })
})

describe('tokens to exchange', () => {
  it('are a subject and an actor, with their types', async () => {
    await login()
    const subject = ['--subject-token', `@${at('access.txt')}`, '--subject-token-type', 'jwt']
    const actor = ['--actor-token', `@${at('access.txt')}`]
    const { last, form } = await flow(['token-exchange', ...subject, ...actor, '--scope', 'records:read'])
    expect(last?.outcome).toBe('granted')
    expect(Object.fromEntries(form)).toMatchObject({
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      actor_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      scope: 'records:read',
    })
    const [, claims = ''] = last?.tokens?.access_token.split('.') ?? []
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ act: { sub: 'alice' } })
  })

  it('may be of any type: the server decides', async () => {
    await login()
    const type = 'urn:example:token'
    const args = ['token-exchange', '--subject-token', `@${at('access.txt')}`, '--subject-token-type', type]
    const { code, form, last } = await flow(args)
    expect([code, form.get('subject_token_type'), last?.outcome]).toEqual([1, type, 'refused'])
  })

  it('are tried by a wrong move without a login', async () => {
    await login()
    const args = ['token-exchange', '--subject-token', `@${at('access.txt')}`, '--tamper', 'reuse-code']
    expect(await run(['flow', ...args])).toMatchObject(ends(2, 'reuse-code cannot be tried here'))
  })
})

describe('an assertion that was made elsewhere', () => {
  const made = async (more: readonly string[]) => {
    const { lines } = await flow(['assertion', '--client', 'demo', '--user', 'alice', ...more])
    const body = lines.find(({ exchange }) => exchange)?.exchange?.request.body
    return new URLSearchParams(body).get('assertion') ?? ''
  }

  it.each([
    ['a JWT', [], (text: string) => text],
    ['SAML in base64url', ['--saml'], (text: string) => text],
    ['SAML as XML', ['--saml'], (text: string) => Buffer.from(text, 'base64url').toString()],
  ])('%s reaches the server as it is', async (_name, more, written) => {
    const assertion = await made(more)
    writeFileSync(at('assertion.txt'), `${written(assertion)}\n`)
    const { form, last } = await flow(['assertion', '--assertion', `@${at('assertion.txt')}`])
    expect(form.get('assertion')).toBe(assertion)
    expect(form.get('grant_type')).toContain(more.length === 0 ? 'jwt-bearer' : 'saml2-bearer')
    // Each is good once, and the run that made it has spent it.
    expect(last?.outcome).toBe('refused')
  })

  it('asks for details', async () => {
    const { last, form } = await flow(['assertion', '--user', 'alice', '--authorization-details', details])
    expect([last?.outcome, form.get('authorization_details')]).toEqual(['granted', details])
  })
})

it('a refresh token of two lines is refused before anything is sent', async () => {
  const { code, stdout, stderr } = await run(['flow', 'refresh', '--refresh-token', '-'], 'a\nb')
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('that is no token')])
})

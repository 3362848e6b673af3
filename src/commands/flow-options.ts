import { text as readAll } from 'node:stream/consumers'
import type { User } from '../authorization-server/model.js'
import { DEFAULT_REDIRECT_URI, isListenable } from '../client/callback-listener.js'
import { UsageError } from '../errors.js'
import { type Flow, type FlowName, flows } from '../flows/flows.js'
import type { FlowOptions } from '../flows/options.js'
import { isProtectedAddress } from '../flows/resource-metadata.js'
import type { Client } from '../oauth/client.js'
import type { LabTarget } from '../targets/lab-target.js'
import { assertionSource } from './assertion-maker.js'
import type { FlowFlags } from './flow-flags.js'
import type { FlowTarget, KnownOptions } from './flow-target.js'
import { findSubject, findUser, type KnownUser, redirectUriFor } from './flow-words.js'
import { narrate } from './output.js'

/** What a flow is told, but what its server publishes. */
export type Wanted = Omit<FlowOptions, keyof KnownOptions>

/** What people type into stdin for a flow. */
export interface FlowInput {
  readonly password?: string
  readonly accessToken?: string
}

/** The longest access token that is read. */
const MAX_TOKEN = 1024 * 1024

async function firstLine(what: string): Promise<string> {
  if (process.stdin.isTTY) narrate(`Type the ${what} and end it with Ctrl-D:`)
  const [line = ''] = (await readAll(process.stdin)).split(/\r?\n/, 1)
  return line.trim() === '' ? '' : line
}

/** Reads what the flags say is in stdin. @throws UsageError */
export async function readInput(flags: FlowFlags): Promise<FlowInput> {
  const { passwordStdin, token, clientSecretStdin } = flags
  if (clientSecretStdin && (passwordStdin || token === '-')) {
    throw new UsageError(
      `--client-secret-stdin and ${passwordStdin ? '--password-stdin' : '--token -'} both read stdin`,
      ['Use --client-secret-file'],
    )
  }
  if (passwordStdin && token === '-') {
    throw new UsageError('--password-stdin and --token - both read stdin', ['Give one of them another way'])
  }
  if (passwordStdin) {
    const password = await firstLine('password')
    if (password === '') throw new UsageError('--password-stdin: stdin holds no password')
    return { password }
  }
  if (token === undefined) return {}
  const accessToken = (token === '-' ? await firstLine('access token') : token).trim()
  if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(accessToken) || accessToken.length > MAX_TOKEN) {
    throw new UsageError(`--token${token === '-' ? ' -' : ''}: that is no access token (RFC 6750 §2.1)`)
  }
  return { accessToken }
}

/** Whether somebody has to log in. */
export function needsLogin(name: FlowName, { accessToken }: FlowInput): boolean {
  const { needs }: Flow = flows[name]
  return needs.includes('login') && accessToken === undefined
}

/** The grant before a flow's own, for a client that may not use codes. */
function firstGrant({ grant_types: grants }: Client): 'code' | 'password' {
  return !grants.includes('authorization_code') && grants.includes('password') ? 'password' : 'code'
}

/** The address of the protected resource. @throws UsageError */
function resourceOf(name: FlowName, { resource }: FlowFlags, lab: LabTarget | undefined): string | undefined {
  const { needs }: Flow = flows[name]
  if (resource !== undefined) {
    if (!URL.canParse(resource) || !isProtectedAddress(resource) || resource.includes('#')) {
      throw new UsageError(`--resource ${resource}: tokens go to https addresses, or stay on this computer`, [
        'It looks like:  --resource https://api.example/records',
      ])
    }
    return resource
  }
  if (lab === undefined) {
    if (!needs.includes('resource')) return undefined
    throw new UsageError('--issuer names no resource server', ['Name a protected resource:  --resource URL'])
  }
  const { urls, config } = lab
  // What the reference issues is nothing that a resource server by the RFCs takes, and before there are tokens
  // there is nothing to show it.
  const usual = config.profile === 'standard' && config.stage !== 'login-only'
  if (urls.resource !== undefined && (usual || needs.includes('resource'))) return `${urls.resource}/resource`
  if (!needs.includes('resource')) return undefined
  throw new UsageError('this lab has no resource server', ['Name a protected resource:  --resource URL'])
}

/** Whom an exchanged token is to be for: who is asked for, else the resource server of the lab, where it knows itself. */
function audienceOf({ audience, resource }: FlowFlags, lab: LabTarget | undefined): string | undefined {
  const own = lab?.urls.resource
  if (audience !== undefined || resource !== undefined || own === undefined) return audience
  const audiences = lab?.config.resource.audiences
  return audiences === undefined || audiences.includes(own) ? own : undefined
}

/** Where the flow's answer goes. @throws UsageError where no browser could bring it */
function redirectUriOf(needs: Flow['needs'], flags: FlowFlags, client: Client): string {
  if (!needs.includes('redirect')) return DEFAULT_REDIRECT_URI
  const redirectUri = flags.redirectUri ?? redirectUriFor(client)
  if (flags.browser && !isListenable(redirectUri)) {
    throw new UsageError('a browser can only bring the answer to a loopback redirect_uri', [
      'Leave --redirect-uri out, or name http://127.0.0.1:0/callback',
    ])
  }
  return redirectUri
}

/** Refuses what does not go together, before any lab is started. @throws UsageError */
export function checkFlags({ tokenType, dpop, token }: FlowFlags): void {
  if (tokenType !== 'mac') return
  if (token !== undefined) {
    throw new UsageError('--token-type mac: the key of a token comes with it, and --token has none', [
      'Leave --token out',
    ])
  }
  if (dpop)
    throw new UsageError('--token-type mac has a key of its own, and --dpop another', ['Leave one out'])
}

/**
 * What a flow is to do, from what was typed and what is known of the target.
 * @throws UsageError
 */
export async function wantedOf(
  name: FlowName,
  flags: FlowFlags,
  input: FlowInput,
  { client, lab, users }: FlowTarget,
  home: string,
): Promise<Wanted> {
  const { needs }: Flow = flows[name]
  const resource = resourceOf(name, flags, lab)
  const assertion = needs.includes('assertion')
    ? await assertionSource(flags, findSubject(flags.user, users), {
        home,
        ...(lab && { config: lab.config }),
      })
    : undefined
  const exchangeFor = name === 'token-exchange' ? audienceOf(flags, lab) : undefined
  return {
    clientId: client.client_id,
    redirectUri: redirectUriOf(needs, flags, client),
    pkce: flags.pkce,
    first: firstGrant(client),
    ...(flags.scope !== undefined && { scope: flags.scope }),
    ...(resource !== undefined && { resource }),
    ...(input.accessToken !== undefined && { accessToken: input.accessToken }),
    ...(assertion && { assertion }),
    ...(flags.tokenType === 'mac' && { tokenType: flags.tokenType }),
    ...(exchangeFor !== undefined && { exchangeFor }),
  }
}

/**
 * Who logs in. On the screen the person does, unless the flags name somebody; elsewhere nobody is there to ask.
 * @param at.users those of the lab file; undefined: the server is no lab
 * @throws UsageError
 */
export function userOf(
  { user }: FlowFlags,
  { password }: FlowInput,
  { onScreen, users }: { readonly onScreen: boolean; readonly users: readonly User[] | undefined },
): KnownUser | undefined {
  const inLab = users !== undefined
  if ((onScreen || !inLab) && user === undefined && password === undefined) return undefined
  if (inLab) return findUser(user, password, users)
  if (user === undefined)
    throw new UsageError('--password-stdin: whose password?', ['Name the user:  --user NAME'])
  if (password === undefined && !user.includes(':')) {
    throw new UsageError(`the password of ${JSON.stringify(user)} is not known here`, [
      'Give it:  --user NAME --password-stdin, or log in with --browser',
    ])
  }
  return findUser(user, password, [])
}

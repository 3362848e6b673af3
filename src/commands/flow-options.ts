import { text as readAll } from 'node:stream/consumers'
import { DEFAULT_REDIRECT_URI, isListenable } from '../client/callback-listener.js'
import { UsageError } from '../errors.js'
import { type Flow, type FlowName, flows } from '../flows/flows.js'
import type { FlowOptions } from '../flows/options.js'
import { isProtectedAddress } from '../flows/resource-metadata.js'
import type { Client } from '../oauth/client.js'
import { assertionSource } from './assertion-maker.js'
import type { FlowFlags } from './flow.js'
import { findSubject, findUser, type KnownUser, redirectUriFor, secretPlace } from './flow-words.js'
import type { LabInUse } from './lab-in-use.js'
import { narrate } from './output.js'

/** What a flow is told, but what its server publishes. */
export type Wanted = Omit<FlowOptions, 'metadata' | 'carriedKeys'>

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
export async function readInput({ passwordStdin, token }: FlowFlags): Promise<FlowInput> {
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
function resourceOf(name: FlowName, { resource }: FlowFlags, { urls, config }: LabInUse): string | undefined {
  const { needs }: Flow = flows[name]
  if (resource !== undefined) {
    if (!URL.canParse(resource) || !isProtectedAddress(resource) || resource.includes('#')) {
      throw new UsageError(`--resource ${resource}: tokens go to https addresses, or stay on this computer`, [
        'It looks like:  --resource https://api.example/records',
      ])
    }
    return resource
  }
  // What the reference issues is nothing that a resource server by the RFCs takes, and before there are tokens
  // there is nothing to show it.
  const usual = config.profile === 'standard' && config.stage !== 'login-only'
  if (urls.resource !== undefined && (usual || needs.includes('resource'))) return `${urls.resource}/resource`
  if (!needs.includes('resource')) return undefined
  throw new UsageError('this lab has no resource server', ['Name a protected resource:  --resource URL'])
}

/** Whom an exchanged token is to be for: who is asked for, else the resource server of the lab, where it knows itself. */
function audienceOf({ audience, resource }: FlowFlags, { urls, config }: LabInUse): string | undefined {
  if (audience !== undefined || resource !== undefined || urls.resource === undefined) return audience
  const { audiences } = config.resource
  return audiences === undefined || audiences.includes(urls.resource) ? urls.resource : undefined
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

/**
 * What a flow is to do, from what was typed and what the lab file says.
 * @throws UsageError
 */
export async function wantedOf(
  name: FlowName,
  flags: FlowFlags,
  input: FlowInput,
  { client, lab, home }: { readonly client: Client; readonly lab: LabInUse; readonly home: string },
): Promise<Wanted> {
  const { needs }: Flow = flows[name]
  const resource = resourceOf(name, flags, lab)
  const { users } = lab.config
  const assertion = needs.includes('assertion')
    ? await assertionSource(flags, findSubject(flags.user, users), { config: lab.config, home })
    : undefined
  const exchangeFor = name === 'token-exchange' ? audienceOf(flags, lab) : undefined
  return {
    clientId: client.client_id,
    auth: secretPlace(client),
    redirectUri: redirectUriOf(needs, flags, client),
    pkce: flags.pkce,
    audience: client.client_id,
    first: firstGrant(client),
    ...(client.client_secret !== undefined && { clientSecret: client.client_secret }),
    ...(flags.scope !== undefined && { scope: flags.scope }),
    ...(resource !== undefined && { resource }),
    ...(input.accessToken !== undefined && { accessToken: input.accessToken }),
    ...(assertion && { assertion }),
    ...(exchangeFor !== undefined && { exchangeFor }),
  }
}

/**
 * Who logs in. On the screen the person does, unless the flags name somebody; elsewhere nobody is there to ask.
 * @throws UsageError
 */
export function userOf(
  { user }: FlowFlags,
  { password }: FlowInput,
  { onScreen, lab }: { readonly onScreen: boolean; readonly lab: LabInUse },
): KnownUser | undefined {
  if (onScreen && user === undefined && password === undefined) return undefined
  return findUser(user, password, lab.config.users)
}

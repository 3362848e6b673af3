import { codeChallenge } from '../../../protocol/oauth/pkce.js'
import { ADDRESSES, CALLBACK, type Fields, type Street } from './street.js'

export const PEOPLE = ['alice', 'bob', 'carol'] as const

export type Person = (typeof PEOPLE)[number]

const secretOf = (street: Street): string => Buffer.from(street.random(32)).toString('base64url')

export interface CodeLogin {
  readonly code: string
  readonly verifier: string | undefined
}

/** @param from left out: the person's own address */
export async function logIn(
  street: Street,
  person: string,
  client: string,
  { from, ...fields }: Fields & { readonly from: string },
): Promise<CodeLogin | undefined> {
  const verifier = client === 'demo-native' || client === 'demo' ? secretOf(street) : undefined
  const answer = await street.authorize(from, person, {
    client_id: client,
    scope: 'records:read',
    state: secretOf(street).slice(0, 16),
    ...(verifier && { code_challenge: codeChallenge(verifier), code_challenge_method: 'S256' }),
    ...fields,
  })
  const code = answer?.searchParams.get('code')
  return code ? { code, verifier } : undefined
}

export function redeeming({ code, verifier }: CodeLogin, redirectUri: string = CALLBACK): Fields {
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    ...(verifier && { code_verifier: verifier }),
  }
}

export function textOf(answer: Readonly<Record<string, unknown>>, name: string): string {
  const value = answer[name]
  return typeof value === 'string' ? value : ''
}

export type Deed = (street: Street, person: Person) => Promise<void>

/** On the person's own computer. */
const nativeLogin: Deed = async (street, person) => {
  const from = ADDRESSES[person]
  const login = await logIn(street, person, 'demo-native', { from })
  if (login === undefined) return
  street.wait(1)
  const answer = await street.token(from, 'demo-native', redeeming(login))
  street.wait(2)
  await street.read(from, textOf(answer, 'access_token'))
}

/** On a server, which reads the records. */
const webLogin: Deed = async (street, person) => {
  const login = await logIn(street, person, 'demo', { from: ADDRESSES[person] })
  if (login === undefined) return
  street.wait(1)
  const answer = await street.token(ADDRESSES.servers, 'demo', redeeming(login))
  street.wait(1)
  await street.read(ADDRESSES.servers, textOf(answer, 'access_token'))
}

export const service: Deed = async street => {
  const fields = { grant_type: 'client_credentials', scope: 'records:read' }
  const answer = await street.token(ADDRESSES.servers, 'demo-service', fields)
  street.wait(1)
  await street.read(ADDRESSES.servers, textOf(answer, 'access_token'))
}

export const DEEDS: readonly Deed[] = [nativeLogin, webLogin, service]

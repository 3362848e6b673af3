import { createHash } from 'node:crypto'
import { readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureHome, readState, statePath, writeState } from '../../lab/state/state-folder.js'
import { UsageError } from '../../protocol/errors.js'
import { isUrl } from '../../protocol/http/address.js'
import { isJsonObject, parsedJson } from '../../protocol/values.js'

/** A client that was registered by this program, with the means to manage it. */
export interface KeptRegistration {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret?: string
  /** The address of the registration (RFC 7592 §3). */
  readonly url: string
  /** The registration access token. */
  readonly token: string
}

const FOLDER = 'registrations'
const FILE = /^[0-9a-f]{16}\.json$/

const nameOf = ({ issuer, clientId }: Pick<KeptRegistration, 'issuer' | 'clientId'>): string =>
  join(
    FOLDER,
    `${createHash('sha256')
      .update(JSON.stringify([issuer, clientId]))
      .digest('hex')
      .slice(0, 16)}.json`,
  )

/** The registration in a file; undefined for a file of anything else. */
function registrationIn(text: string | undefined): KeptRegistration | undefined {
  const value = parsedJson(text ?? '')
  if (!isJsonObject(value)) return undefined
  const { issuer, clientId, clientSecret, url, token } = value
  const right = [issuer, clientId, url, token].every(each => typeof each === 'string')
  if (!right || typeof url !== 'string' || !isUrl(url)) return undefined
  return clientSecret === undefined || typeof clientSecret === 'string'
    ? (value as unknown as KeptRegistration)
    : undefined
}

/** Keeps a registration in a file for this user alone. Returns the path of the file. @throws UsageError */
export async function keepRegistration(home: string, kept: KeptRegistration): Promise<string> {
  await ensureHome(home)
  await ensureHome(join(home, FOLDER))
  const name = nameOf(kept)
  await writeState(home, name, `${JSON.stringify(kept, undefined, 2)}\n`)
  return statePath(home, name)
}

/** Forgets a registration. */
export async function forgetRegistration(home: string, kept: KeptRegistration): Promise<void> {
  await unlink(join(home, nameOf(kept))).catch(() => {})
}

/** Finds a registration by its client_id, and its issuer where several have the same. @throws UsageError */
export async function keptRegistration(
  home: string,
  clientId: string,
  issuer: string | undefined,
): Promise<KeptRegistration> {
  const names = await readdir(join(home, FOLDER)).catch(() => [])
  const texts = await Promise.all(
    names.filter(name => FILE.test(name)).map(name => readState(home, join(FOLDER, name))),
  )
  const all = texts.flatMap(text => registrationIn(text) ?? [])
  const found = all.filter(
    each => each.clientId === clientId && (issuer === undefined || each.issuer === issuer),
  )
  const [only] = found
  if (only && found.length === 1) return only
  if (found.length > 1) {
    throw new UsageError(`client ${JSON.stringify(clientId)} is registered at several servers`, [
      `Name one of them:  --issuer ${found.map(each => each.issuer).join(', ')}`,
    ])
  }
  const known = all.slice(0, 10).map(each => `${each.clientId} at ${each.issuer}`)
  throw new UsageError(`no registration of client ${JSON.stringify(clientId)} is kept here`, [
    ...known,
    'Only a client that was registered by  oauth-lab register  on this computer can be managed',
  ])
}

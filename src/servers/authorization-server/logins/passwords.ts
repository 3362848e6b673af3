import { scrypt, timingSafeEqual } from 'node:crypto'
import { UsageError } from '../../../protocol/errors.js'
import { secretsEqual } from '../../../protocol/secrets.js'
import type { User } from '../model.js'
import { createSemaphore } from './semaphore.js'

/** The result of a password check. `busy`: too many other checks are waiting. */
export type PasswordVerdict = 'right' | 'wrong' | 'busy'

/** Compares a password with the user's. `undefined` stands for an unknown user. */
export type CheckPassword = (user: User | undefined, password: string) => Promise<PasswordVerdict>

interface PasswordHash {
  readonly cost: { readonly N: number; readonly r: number; readonly p: number; readonly maxmem: number }
  readonly salt: Buffer
  readonly hash: Buffer
}

/** Most bytes of memory that a hash may need (RFC 7914 §2: about 128 * N * r). */
const MAX_MEMORY = 256 * 1024 * 1024

/** Returns the problem of a password_hash; undefined for a valid one. */
export function passwordHashProblem(text: string): string | undefined {
  const read = readHash(text)
  return 'problem' in read ? read.problem : undefined
}

function readHash(text: string): PasswordHash | { readonly problem: string } {
  const parts =
    /^scrypt\$(\d{1,10})\$(\d{1,5})\$(\d{1,5})\$([A-Za-z0-9+/]+={0,2})\$([A-Za-z0-9+/]+={0,2})$/.exec(text)
  if (!parts) return { problem: 'it is not scrypt$N$r$p$salt$hash with salt and hash in base64' }
  const [N, r, p] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  if (N < 2 || !Number.isInteger(Math.log2(N))) return { problem: 'N is not a power of two' }
  if (r < 1 || p < 1 || p > 16) return { problem: 'r is at least 1 and p is 1 to 16' }
  const maxmem = 128 * r * (N + p + 2)
  if (maxmem > MAX_MEMORY)
    return { problem: `N and r would need ${Math.ceil(maxmem / 2 ** 20)} MiB of memory, more than 256` }
  const [salt, hash] = [Buffer.from(parts[4]!, 'base64'), Buffer.from(parts[5]!, 'base64')]
  if (hash.length < 16 || hash.length > 64) return { problem: 'the hash has 16 to 64 bytes' }
  return { cost: { N, r, p, maxmem }, salt, hash }
}

function hashMatches(password: string, { cost, salt, hash }: PasswordHash): Promise<boolean> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, hash.length, cost, (error, made) => {
      if (error) reject(error)
      else resolve(timingSafeEqual(made, hash))
    })
  })
}

function work({ cost: { N, r, p } }: PasswordHash): number {
  return N * r * p
}

/**
 * Makes the password check. Plain passwords are compared in constant time. Hashes run outside the event loop, two at
 * a time, because more would fill the thread pool that signing needs.
 * When any user has a hash, every check computes one, so that the time does not reveal which users exist.
 * The list of users may grow after this call.
 * @throws UsageError for a password_hash that cannot be read
 */
export function createPasswordCheck(users: readonly User[]): CheckPassword {
  const hashes = new Map<User, PasswordHash>()
  let decoy: PasswordHash | undefined
  let seen = 0
  const readNewUsers = (): void => {
    for (; seen < users.length; seen++) {
      const user = users[seen]!
      if (user.password_hash === undefined) continue
      const hash = readHash(user.password_hash)
      if ('problem' in hash) throw new UsageError(`password_hash of user ${user.username}: ${hash.problem}`)
      hashes.set(user, hash)
      if (decoy === undefined || work(hash) > work(decoy)) decoy = hash
    }
  }
  readNewUsers()
  const run = createSemaphore({ atOnce: 2, waiting: 100 })
  return async (user, password) => {
    readNewUsers()
    const plainRight = secretsEqual(password, user?.password ?? '') && user?.password !== undefined
    const costliest = decoy
    if (costliest === undefined) return plainRight ? 'right' : 'wrong'
    const own = user && hashes.get(user)
    const hashRight = await run(() => hashMatches(password, own ?? costliest))
    if (hashRight === 'full') return 'busy'
    return (own ? hashRight : plainRight) ? 'right' : 'wrong'
  }
}

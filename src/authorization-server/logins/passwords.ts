import { scrypt, timingSafeEqual } from 'node:crypto'
import { UsageError } from '../../errors.js'
import { secretsEqual } from '../../oauth/client-auth.js'
import type { User } from '../model.js'
import { createSemaphore } from './semaphore.js'

/** The result of a password check. `busy`: too many others wait. */
export type PasswordVerdict = 'right' | 'wrong' | 'busy'

/** Compares a password with a user's; undefined stands for a user that does not exist. */
export type CheckPassword = (user: User | undefined, password: string) => Promise<PasswordVerdict>

interface PasswordHash {
  readonly cost: { readonly N: number; readonly r: number; readonly p: number; readonly maxmem: number }
  readonly salt: Buffer
  readonly hash: Buffer
}

/** A hash needs this many bytes at most (RFC 7914 §2: about 128 * N * r). */
const MAX_MEMORY = 256 * 1024 * 1024

/** The problem of a password_hash; undefined for a valid one. */
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

/** How much of it a hash takes, in comparison. */
function work({ cost: { N, r, p } }: PasswordHash): number {
  return N * r * p
}

/**
 * Plain passwords are compared in constant time. A hash is made off the loop, two at once: more would fill the thread
 * pool that signing needs. When any user has a hash, every check costs one, for unknown users too, so that time does
 * not reveal names. The list may grow meanwhile.
 * @throws UsageError for a password_hash that cannot be read
 */
export function createPasswordCheck(users: readonly User[]): CheckPassword {
  const hashes = new Map<User, PasswordHash>()
  let decoy: PasswordHash | undefined
  let seen = 0
  const readNewcomers = (): void => {
    for (; seen < users.length; seen++) {
      const user = users[seen]!
      if (user.password_hash === undefined) continue
      const hash = readHash(user.password_hash)
      if ('problem' in hash) throw new UsageError(`password_hash of user ${user.username}: ${hash.problem}`)
      hashes.set(user, hash)
      if (decoy === undefined || work(hash) > work(decoy)) decoy = hash
    }
  }
  readNewcomers()
  const run = createSemaphore({ atOnce: 2, waiting: 100 })
  return async (user, password) => {
    readNewcomers()
    const plainRight = secretsEqual(password, user?.password ?? '') && user?.password !== undefined
    const costliest = decoy
    if (costliest === undefined) return plainRight ? 'right' : 'wrong'
    const own = user && hashes.get(user)
    const hashRight = await run(() => hashMatches(password, own ?? costliest))
    if (hashRight === 'full') return 'busy'
    return (own ? hashRight : plainRight) ? 'right' : 'wrong'
  }
}

import { scrypt, timingSafeEqual } from 'node:crypto'
import { UsageError } from '../errors.js'
import { secretsEqual } from '../oauth/client-auth.js'
import { createSemaphore } from './semaphore.js'
import type { User } from './settings.js'

/** What looking at a password found. `busy`: too many others wait. */
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

/** What is wrong with a password_hash; undefined when nothing is. */
export function passwordHashProblem(text: string): string | undefined {
  const read = readHash(text)
  return typeof read === 'string' ? read : undefined
}

function readHash(text: string): PasswordHash | string {
  const parts =
    /^scrypt\$(\d{1,10})\$(\d{1,5})\$(\d{1,5})\$([A-Za-z0-9+/]+={0,2})\$([A-Za-z0-9+/]+={0,2})$/.exec(text)
  if (!parts) return 'it is not scrypt$N$r$p$salt$hash with salt and hash in base64'
  const [N, r, p] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  if (N < 2 || !Number.isInteger(Math.log2(N))) return 'N is not a power of two'
  if (r < 1 || p < 1 || p > 16) return 'r is at least 1 and p is 1 to 16'
  const maxmem = 128 * r * (N + p + 2)
  if (maxmem > MAX_MEMORY)
    return `N and r would need ${Math.ceil(maxmem / 2 ** 20)} MiB of memory, more than 256`
  const [salt, hash] = [Buffer.from(parts[4]!, 'base64'), Buffer.from(parts[5]!, 'base64')]
  if (hash.length < 16 || hash.length > 64) return 'the hash has 16 to 64 bytes'
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

/**
 * Plain passwords are compared in constant time. A hash is made off the loop, two at once: more would fill the
 * thread pool that signing needs. Where any user has a hash, every check costs one, whether or not the user
 * exists, so that time does not tell names.
 * @throws UsageError for a password_hash that cannot be read
 */
export function createPasswordCheck(users: readonly User[]): CheckPassword {
  const hashes = new Map<User, PasswordHash>()
  for (const user of users) {
    if (user.password_hash === undefined) continue
    const hash = readHash(user.password_hash)
    if (typeof hash === 'string') throw new UsageError(`password_hash of user ${user.username}: ${hash}`)
    hashes.set(user, hash)
  }
  const decoy = [...hashes.values()].sort(
    (a, b) => b.cost.N * b.cost.r * b.cost.p - a.cost.N * a.cost.r * a.cost.p,
  )[0]
  const run = createSemaphore({ atOnce: 2, waiting: 100 })
  return async (user, password) => {
    const plainRight = secretsEqual(password, user?.password ?? '') && user?.password !== undefined
    if (decoy === undefined) return plainRight ? 'right' : 'wrong'
    const own = user && hashes.get(user)
    const hashRight = await run(() => hashMatches(password, own ?? decoy))
    if (hashRight === 'full') return 'busy'
    return (own ? hashRight : plainRight) ? 'right' : 'wrong'
  }
}

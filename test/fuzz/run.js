// npm run fuzz [-- --seed NUMBER] [--minutes NUMBER] [--site NAME] [--profile standard|reference]: sends random requests to the
// sites of a lab, half of the time through sockets and half through their functions. Prints the seed, and of a fault the
// smallest request that shows it. The same seed makes the same requests.
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const root = resolve(import.meta.dirname, '../..')
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string' },
    site: { type: 'string' },
    profile: { type: 'string' },
  },
})
const { seed = String(Date.now() % 2 ** 31), minutes = '2', site, profile } = values
const sites = ['authorization', 'http', 'resource', 'cluster', 'dns', 'client']
if (!/^\d+$/.test(seed) || !(Number(minutes) > 0) || (site !== undefined && !sites.includes(site))) {
  console.error(`Usage: npm run fuzz -- --seed NUMBER --minutes NUMBER --site ${sites.join('|')}`)
  process.exit(2)
}
console.log(`seed ${seed}: repeat with  npm run fuzz -- --seed ${seed}`)
const env = {
  ...process.env,
  OAUTH_LAB_FUZZ_SEED: seed,
  OAUTH_LAB_FUZZ_SECONDS: String(Number(minutes) * 60),
}
if (site !== undefined) env.OAUTH_LAB_FUZZ_SITE = site
if (profile !== undefined) env.OAUTH_LAB_FUZZ_PROFILE = profile
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/programs/fuzz.test.ts'], {
  cwd: root,
  env,
  stdio: 'inherit',
})
process.exit(status ?? 1)

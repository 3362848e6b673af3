// npm run check:package: packs oauth-lab, checks the package as its users get it, and looks for exports, files and
// dependencies that nothing uses.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** The largest package, in bytes: people wait for it in `npx oauth-lab`. */
const MAX_BYTES = 2_500_000

const root = resolve(import.meta.dirname, '../../..')
const place = mkdtempSync(join(tmpdir(), 'oauth-lab-pack-'))

/** Runs npm in a folder. Exits with its code when it fails. */
function npm(cwd, ...args) {
  const { status } = spawnSync('npm', args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}

process.on('exit', () => rmSync(place, { recursive: true }))
npm(root, 'pack', '--silent', '--pack-destination', place)
const [tarball] = readdirSync(place)
const { size } = statSync(join(place, tarball))
if (size > MAX_BYTES) {
  console.error(`the package has ${size} bytes, and at most ${MAX_BYTES} are wanted`)
  process.exit(1)
}
const run = (script, ...args) => npm(import.meta.dirname, 'run', '--silent', script, ...args)
run('publint', join(place, tarball))
run('attw', join(place, tarball))
run('knip')

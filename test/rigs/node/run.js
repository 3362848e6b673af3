// npm run test:node -- VERSION [argument of vitest…]: runs the unit tests with the oldest supported Node.js (20) or a newer
// one (22, 24, 26), whichever runs npm. Tests that drive other programs stay with the Node.js of the machine.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')
const [version, ...args] = process.argv.slice(2)
const folder = join(import.meta.dirname, `node_modules/node${version}/bin`)
if (!existsSync(folder)) {
  console.error(
    `No Node.js ${version} for this machine. test/rigs/node has 20, 22, 24 and 26 for Linux on x64.`,
  )
  process.exit(2)
}

const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const { status } = spawnSync(join(folder, 'node'), [vitest, 'run', '--project', 'unit', ...args], {
  cwd: root,
  env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` },
  stdio: 'inherit',
})
process.exit(status ?? 1)

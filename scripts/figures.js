// npm run figures [-- --tests]: the size of the tree. Small enough to hold in the head is a goal like any other.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/**
 * All files below a folder of the project, without installed packages.
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    if (entry.name === 'node_modules') return []
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

/** @param {readonly string[]} files */
function sizeOf(files) {
  const texts = files.map(file => readFileSync(join(root, file)))
  const lines = texts.reduce((sum, text) => sum + text.filter(byte => byte === 10).length, 0)
  return { lines, bytes: texts.reduce((sum, text) => sum + text.length, 0) }
}

/** Tests of the project that `npm test` runs, and their files. */
function unitTests() {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'list', '--project', 'unit', '--json']
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 1e9 })
  const tests = JSON.parse(stdout.slice(stdout.indexOf('[')))
  return [
    ['tests of npm test', tests.length],
    ['files of these tests', new Set(tests.map(({ file }) => file)).size],
  ]
}

const src = filesBelow('src')
const content = filesBelow('content')
const test = filesBelow('test').filter(file => /\.(?:ts|tsx|js|mjs|cjs)$/.test(file))
const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter(entry => entry.isDirectory())
const whole = sizeOf([...src, ...content])

const figures = [
  ['lines of src and content', whole.lines],
  ['  of these, content', sizeOf(content).lines],
  ['bytes of src and content', whole.bytes],
  ['files of src', src.length],
  ['folders directly in src', folders.length],
  ['lines of test (code)', sizeOf(test).lines],
  ...(process.argv.includes('--tests') ? unitTests() : []),
]
for (const [name, figure] of figures) {
  console.log(`${String(name).padEnd(28)}${Number(figure).toLocaleString('en').padStart(11)}`)
}
for (const { name } of folders) {
  const files = filesBelow(`src/${name}`)
  const { lines } = sizeOf(files)
  console.log(
    `  src/${name.padEnd(22)}${lines.toLocaleString('en').padStart(11)}${String(files.length).padStart(6)} files`,
  )
}

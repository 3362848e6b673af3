// npm run release [-- --publish]: packs the version of package.json with its bill of materials, after a look at what
// must be true of a release. --publish is for the workflow: npm signs there where a package was built (provenance).
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const place = join(root, 'release')
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/**
 * Runs a program in the project's folder. @returns what it printed
 * @param {string} program
 * @param {string[]} words
 */
const run = (program, ...words) => execFileSync(program, words, { cwd: root, encoding: 'utf8' }).trim()

const changes = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
const dated = changes.split('\n').some(line => line.startsWith(`## [${version}] - 2`))
// npm refuses provenance unless package.json names the repository that builds. Only the build knows its name.
const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env
const publishes = process.argv.includes('--publish')
const faults = [
  run('git', 'status', '--porcelain') !== '' && 'the tree has changes: commit them first',
  !dated && `CHANGELOG.md has no heading "## [${version}] - YYYY-MM-DD"`,
  !run('git', 'tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`) &&
    `this commit has no tag v${version}: git tag v${version}`,
  publishes &&
    !(GITHUB_SERVER_URL && GITHUB_REPOSITORY) &&
    'provenance needs GITHUB_SERVER_URL and GITHUB_REPOSITORY, which GitHub sets: push the tag, and the workflow publishes',
].filter(fault => fault !== false)
if (faults.length > 0) {
  for (const fault of faults) console.error(`not a release: ${fault}`)
  process.exit(1)
}

rmSync(place, { recursive: true, force: true })
mkdirSync(place)
if (GITHUB_SERVER_URL && GITHUB_REPOSITORY) {
  const page = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`
  run(
    'npm',
    'pkg',
    'set',
    `repository.type=git`,
    `repository.url=git+${page}.git`,
    `bugs.url=${page}/issues`,
    `homepage=${page}#readme`,
  )
}
// `npm pack` builds, and the build writes the bill: `npm sbom` would leave out the packages that it bundles.
run('npm', 'pack', '--silent', '--pack-destination', place)
run('git', 'checkout', '--', 'package.json')
const tarball = join(place, `${name}-${version}.tgz`)
copyFileSync(join(root, 'dist/sbom.cdx.json'), join(place, `${name}-${version}.cdx.json`))
const digest = createHash('sha256').update(readFileSync(tarball)).digest('hex')
console.log(`${digest}  release/${name}-${version}.tgz`)
if (publishes) {
  execFileSync('npm', ['publish', tarball, '--provenance', '--access', 'public'], {
    cwd: root,
    stdio: 'inherit',
  })
} else {
  console.log('Publish:  git push --tags, and .github/workflows/release.yml does the rest')
}

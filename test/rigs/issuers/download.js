// Programs in Java, from Maven Central: only files with the SHA-256 of downloads.json are kept, in a cache
// beside the packages of test/rigs.
// node test/rigs/issuers/download.js NAME…   exits with 1, and the reason on stderr, when one cannot be had
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const REPOSITORY = 'https://repo1.maven.org/maven2'
const cache = join(import.meta.dirname, '../node_modules/.cache/issuers')
const sha256 = data => createHash('sha256').update(data).digest('hex')

/** The files of a server: their paths at Maven Central, each with its SHA-256. */
function pinned(name) {
  const all = JSON.parse(readFileSync(join(import.meta.dirname, 'downloads.json'), 'utf8'))
  return Object.entries(all[name])
}

/** The folder of a server. It is there only when every file of the server was downloaded and had its SHA-256. */
export function folderOf(name) {
  return join(cache, `${name}-${sha256(JSON.stringify(pinned(name))).slice(0, 16)}`)
}

/** Runs a program. @throws Error with the last line of its stderr when it fails */
function call(program, args, options) {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', ...options })
  if (status !== 0) throw new Error(`${program}: ${stderr?.trim().split('\n').at(-1) || error?.message}`)
}

/** Downloads a server, unless it is there. @throws Error when a download fails, or is another file */
function download(name) {
  if (existsSync(folderOf(name))) return
  console.log(`Downloading ${name}: once, and after test/rigs/issuers/downloads.json has changed.`)
  const beginning = join(cache, `${name}.${process.pid}`)
  mkdirSync(beginning, { recursive: true })
  try {
    const wanted = pinned(name).map(([path, hash]) => [path, hash, join(beginning, basename(path))])
    // curl takes the proxy of the machine, which fetch of Node 20 does not.
    const files = wanted.flatMap(([path, , file]) => ['-o', file, `${REPOSITORY}/${path}`])
    call('curl', ['-fsSL', '--retry', '2', '--connect-timeout', '20', '--max-time', '400', ...files])
    for (const [path, hash, file] of wanted) {
      if (sha256(readFileSync(file)) !== hash)
        throw new Error(`${path} has not the SHA-256 of downloads.json`)
      if (!file.endsWith('.zip')) continue
      call('jar', ['xf', file], { cwd: beginning })
      rmSync(file)
    }
    renameSync(beginning, folderOf(name))
  } finally {
    rmSync(beginning, { recursive: true, force: true })
  }
  for (const old of readdirSync(cache)) {
    const other = join(cache, old)
    if (old.startsWith(`${name}-`) && other !== folderOf(name))
      rmSync(other, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const name of process.argv.slice(2)) {
    try {
      download(name)
    } catch (error) {
      console.error(`${name} cannot be downloaded: ${error.message}`)
      process.exitCode = 1
    }
  }
}

// How much more processor time a request takes than at a bare server differs between machines: one of 2025 signs in a third of the
// time of one of 2020. So where a figure of guard.json is exceeded, the tree that the figures are of is built and measured beside
// this one, in the same rounds on the same machine. That decides.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figures, measureGuard } from './guard.js'
import { measureGuardStart } from './guard-start.js'
import { isMet } from './statistics.js'

/** A tree of an earlier commit. @typedef {{ name: string, launcher: string }} EarlierTree */

const root = join(import.meta.dirname, '../..')

/** How far a run may be above a figure without that tree, in parts of the figure. No two machines were seen that differ so much. */
const SLACK_ALONE = 0.5

/** Runs a program to its end. Returns what went wrong. */
function run(folder, program, ...words) {
  const { status, stderr, error } = spawnSync(program, words, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  return status === 0 ? undefined : `${program} ${words[0]}: ${error?.message ?? stderr.trim().slice(-500)}`
}

/** Builds the tree of a commit in an empty folder. @returns what went wrong */
function buildTree(commit, folder) {
  const archive = join(folder, 'tree.tar')
  return (
    run(root, 'git', 'archive', '--output', archive, commit) ??
    run(folder, 'tar', '-xf', archive) ??
    run(folder, 'npm', 'ci', '--no-audit', '--no-fund') ??
    run(folder, 'npm', 'run', 'build')
  )
}

/**
 * @param {boolean} startOnly
 * @param {boolean} quick
 * @param {{ earlier?: EarlierTree }} beside
 * @returns {Promise<string[][]>} name, ratio and limit of each
 */
async function measureBoth(startOnly, quick, beside = {}) {
  return [
    ...(startOnly ? [] : await measureGuard({ rounds: 7, part: quick ? 0.3 : 1, ...beside })),
    ...(await measureGuardStart({ rounds: quick ? 3 : 7, ...beside })),
  ]
}

/**
 * Measures this tree beside a bare server and `node -e 0`, and where that exceeds a figure beside the tree of the figures.
 * @param {boolean} startOnly leaves the requests out
 * @param {boolean} quick
 */
export async function measureWithEarlier(startOnly, quick) {
  const rows = await measureBoth(startOnly, quick)
  const met = (/** @type {string[]} */ row) => isMet(row[1], row[2])
  if (rows.every(met)) return rows
  const folder = mkdtempSync(join(tmpdir(), 'oauth-lab-bench-'))
  try {
    const { commit } = figures
    console.log(`\nAbove the figures, which may be those of another machine. Beside the tree of ${commit}:`)
    const problem = buildTree(commit, folder)
    if (problem === undefined) {
      const earlier = { name: commit, launcher: join(folder, 'bin/oauth-lab.js') }
      const beside = await measureBoth(startOnly, quick, { earlier })
      return rows.map((row, n) => (met(row) ? row : beside[n]))
    }
    console.log(
      `It cannot be had here (${problem}). So this run fails only above the figures and half as much again.`,
    )
    return rows.map(([name, ratio, limit]) => {
      const figure = Number(limit.split(' ')[1])
      return [name, ratio, `<= ${(figure * (1 + SLACK_ALONE)).toFixed(2)}`]
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { registrySettings, registryUnreachable } from '../../support/npm.js'
import { everythingRequired } from '../../support/requires.js'
import { read, root } from '../../support/source-files.js'
import { ended, type LineTable, type Typed } from './typed.js'

/** Types a line of npm offline. The program is built already; building it again would disturb other tests. */
const npm = ({ world }: Typed, line: string, settings: Readonly<Record<string, string>> = {}, cwd?: string) =>
  world.alone.types(line, {
    cwd: cwd ?? world.checkout(),
    env: {
      ...world.alone.env,
      npm_config_offline: 'true',
      npm_config_ignore_scripts: 'true',
      npm_config_update_notifier: 'false',
      ...settings,
    },
  })

/** Installs the command into a prefix, and starts it from there. */
async function installsCommand(typed: Typed, line: string): Promise<void> {
  const prefix = join(typed.world.place, 'global')
  ended(await npm(typed, line, { npm_config_prefix: prefix }), /^(added|changed|up to date)/m)
  ended(await typed.world.alone.types(`'${prefix}/bin/oauth-lab' --version`), /^\d+\.\d+\.\d+\n$/)
}

/** Installs a packed file with the packages that it needs from the registry. */
async function installsPackage({ line, world, skip }: Typed, cwd: string): Promise<void> {
  const env = {
    ...world.alone.env,
    ...registrySettings,
    npm_config_audit: 'false',
    npm_config_fetch_retries: '0',
    npm_config_prefer_offline: 'true',
  }
  const installed = await world.alone.types(line, { env, cwd })
  if (installed.code !== 0 && registryUnreachable(installed.stderr) && !everythingRequired) {
    skip('the npm registry cannot be reached')
  }
  ended(installed, /^added \d+ packages?/m)
}

/** Ports of a workshop that are free. */
const FREE = '--port 0 --http-port 0'

/** Lines that install the program, and those of a workshop, which follow an installation. */
export const installLines: LineTable = {
  // The next line shows that npm ci accepts the lock file.
  'npm ci && npx oauth-lab flow code --client demo': async typed =>
    ended(await npm(typed, typed.line.replace('npm ci && ', '')), /^granted {2}alice -> demo/m),
  // A dry run unpacks nothing. npm prints the script of npm test and does not run it: it is these tests.
  'npm ci && npm test': async typed => {
    const script = join(typed.world.place, 'script')
    writeFileSync(script, '#!/bin/sh\necho "runs: $2"\n', { mode: 0o755 })
    const result = await npm(typed, typed.line, {
      npm_config_dry_run: 'true',
      npm_config_script_shell: script,
    })
    ended(result, /^added \d+ packages[\s\S]*^runs: npm run check && .*vitest run --project unit$/m)
    expect(read('.ci/run')).toMatch(/^npm ci .*\n[\s\S]*^npm test$/m)
  },
  'npm link': typed => installsCommand(typed, typed.line),
  'npm install --save-dev ./oauth-lab-0.1.0.tgz': async typed => {
    const settings = { npm_config_pack_destination: typed.world.place }
    ended(await npm(typed, 'npm pack', settings, root), /\.tgz\n$/)
    await installsPackage(typed, typed.world.place)
  },

  'npm pack': async typed => {
    const settings = { npm_config_pack_destination: typed.world.alone.home }
    const { stdout } = ended(await npm(typed, typed.line, settings, root), /\.tgz\n$/)
    expect(typed.comment).toContain(`: ${stdout.trim()}`)
  },

  'oauth-lab workshop check --address 192.0.2.7': async ({ line, world }) =>
    ended(await world.student.types(`${line} ${FREE}`), /^ok +address[\s\S]*^ok +lessons/m),
  'oauth-lab workshop --address 192.0.2.7 --course 90m': async ({ line, world }) => {
    const room = await world.student.starts(`${line} ${FREE}`)
    expect(room.value('your board')).toMatch(/^https:.*\/board\?key=/)
    await room.stop()
  },
  'oauth-lab workshop report --format csv > monday.csv': async ({ line, world: { student } }) => {
    ended(await student.types(line), /^$/)
    expect(readFileSync(join(student.home, 'monday.csv'), 'utf8')).toMatch(/^who,name,/)
  },
  'oauth-lab workshop forget --yes': async ({ line, world }) => ended(await world.student.types(line), /^$/),

  'oauth-lab flow code --server room': async ({ line, world: { student, participant, here } }) => {
    const room = await student.starts(here(`oauth-lab workshop --lab --address 192.0.2.7 ${FREE}`))
    const join = /oauth-lab join \S+ \S+/.exec(room.printed())?.[0]
    ended(await participant.types(`${join} --as Dora`), /^ *Use it: +oauth-lab flow code --server room$/m)
    ended(await participant.types(line), /^granted {2}\S+ -> \S+-app/m)
  },
  'oauth-lab k8s token --audience api --server room': async ({ line, world }) =>
    ended(await world.participant.types(line), /^eyJ\S+$/),
  'oauth-lab cf events --since 1h --server room': async ({ line, world }) =>
    ended(await world.participant.types(line), /\S/),
}

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadLabConfig } from '../../lab/lab-file/config.js'
import { launcherPath, trusting } from '../../learn/engine/learner-env.js'
import { readProgress } from '../../learn/engine/progress.js'
import { placesOf } from '../../learn/engine/texts.js'
import { defined } from '../../protocol/values.js'
import { ownWords } from '../../show/tui/home/child.js'
import { type Context, caFor } from './context.js'
import type { LabKeeper } from './lab.js'

/** The shell of the learner: it knows this program as `oauth-lab`, and the lab and the client of the lesson by variables. */
export interface LearnerShell {
  /** Starts a line in the folder of the learner. */
  start(line: string, options: SpawnOptions): Promise<ChildProcess>
  close(): Promise<void>
}

/** Makes the shell. Its folder for the launcher is there from the first line on. */
export function createLearnerShell({ globals, learner }: Context, labs: LabKeeper): LearnerShell {
  const { home, config } = globals
  let folder: Promise<string> | undefined

  async function env(): Promise<NodeJS.ProcessEnv> {
    folder ??= mkdtemp(join(tmpdir(), 'oauth-lab-line-'))
    const lab = labs.get()
    const [{ current }, { clients }] = await Promise.all([readProgress(home, learner), loadLabConfig(config)])
    const ca = caFor(lab, home)
    const client = clients.find(({ client_id }) => client_id === current?.client)
    const { lab: url, resource, cluster } = placesOf(lab?.urls)
    return {
      ...process.env,
      PATH: await launcherPath(await folder, [process.execPath, ...ownWords()]),
      OAUTH_LAB_HOME: home,
      ...defined({ OAUTH_LAB_LEARNER: learner }),
      LAB: url,
      ISSUER: url,
      RESOURCE: resource,
      CLUSTER: cluster,
      ...defined({ CLIENT_ID: client?.client_id, CLIENT_SECRET: client?.client_secret }),
      // A lab of another computer may have a certificate that every program trusts.
      ...(ca !== '' && trusting(ca)),
    }
  }

  return {
    async start(line, options) {
      // The person typed this line at their own prompt, so their own shell reads all of it. No text of a lesson or
      // of a server comes here unless the person entered it.
      const shell = (process.platform !== 'win32' && process.env.SHELL) || true
      return spawn(line, { ...options, shell, env: await env() })
    },
    async close() {
      if (folder !== undefined) await rm(await folder, { recursive: true, force: true })
    },
  }
}

import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../../support/program.js'
import { sharedLab } from '../../support/shared.js'
import { needs } from './connect-clients.js'
import { startRecipe } from './recipe-run.js'

const rig = join(import.meta.dirname, 'bruno')

needs('bruno')('the collection of Bruno (npm run connect-clients)', () => {
  const lab = sharedLab()

  it('is imported by Bruno, and run by its command line', async () => {
    const running = await startRecipe(lab, 'bruno')
    const node = (args: readonly string[], cwd: string) =>
      run(process.execPath, args, { env: lab.env, cwd, limit: 60_000 })
    try {
      expect((await running.ended).code).toBe(0)
      const imported = join(running.folder, 'imported')
      const file = 'oauth-lab.postman_collection.json'
      const importing = await node([join(rig, 'import.js'), file, imported], running.folder)
      expect(importing).toMatchObject({ code: 0, stderr: '' })

      const bru = join(rig, 'node_modules/@usebruno/cli/bin/bru.js')
      const { code, stdout } = await node([bru, 'run', 'As the client', '--cacert', lab.ready.ca], imported)
      expect(code, stdout).toBe(0)
      for (const name of ['metadata', 'token', 'records']) {
        expect(stdout).toContain(`As the client/${name} (200 OK)`)
      }
      expect(stdout.match(/✓ status 200/g)).toHaveLength(3)
    } finally {
      await running.stop()
    }
  }, 120_000)
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { launcher, run } from '../../support/program.js'
import { serve } from '../../support/serve.js'
import { ended, type LineTable, prints, type Typed } from './typed.js'

/** A pasted error is explained, and is a fault. */
const named =
  (stdout: RegExp) =>
  async ({ line, before, world }: Typed) =>
    ended(await world.alone.types([...before, line], { env: world.alone.env }), stdout, 1)

/** Lines of the pages that record logins and explain recordings. */
export const recordLines: LineTable = {
  'oauth-lab record -o login.har -- node app.js': async typed => {
    const login = `execFileSync('oauth-lab', ['flow', 'code'], { stdio: 'inherit' })`
    const program = `import('node:child_process').then(({ execFileSync }) => ${login})`
    writeFileSync(join(typed.world.alone.home, 'app.js'), program)
    const { stderr } = await prints(/granted/)(typed)
    expect(stderr).toMatch(/Nothing is wrong\. Next: {2}oauth-lab explain login\.har\n$/)
  },
  'oauth-lab record --json -- node app.js 2>&1 >app.log | oauth-lab play -': prints(/ POST .*\/token /),
  "oauth-lab explain 'https://app.example/cb?error=access_denied&state=x'":
    named(/access_denied[\s\S]*likely/),
  'oauth-lab explain AADSTS50011': named(/Register this redirect_uri/),
  'oauth-lab explain login.har': prints(/^login\.har: \d+ exchanges of oauth-lab record/),
  'oauth-lab explain login.har --redact -o clean.har': prints(/Nothing is wrong/),
  'oauth-lab explain run.har': prints(/^run\.har: \d exchanges of oauth-lab .*\n\n✓ Nothing is wrong\.\n/),
  'cat run.har | oauth-lab explain -': prints(/^stdin: .*\n\n✓ Nothing is wrong\.\n/),
  'oauth-lab explain lab.jsonl': async typed => {
    const lab = await serve()
    try {
      await run(process.execPath, [launcher, 'flow', 'code'], { env: lab.env })
      const lines = (await lab.events()).map(event => `${JSON.stringify(event)}\n`)
      writeFileSync(join(typed.world.alone.home, 'lab.jsonl'), lines.join(''))
    } finally {
      await lab.remove()
    }
    await prints(/^lab\.jsonl: \d+ exchanges of a lab, .*\n\n✓ Nothing is wrong\.\n/)(typed)
  },
  'oauth-lab flow code --json | oauth-lab explain -': prints(/^stdin: .*\n\n✓ Nothing is wrong\.\n/),
}

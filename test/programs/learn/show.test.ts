import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanEnv, runProgram, temporaryFolder } from '../../support/program.js'
import { read } from '../../support/source-files.js'

let folder: ReturnType<typeof temporaryFolder>
let home: typeof folder
beforeAll(() => {
  folder = temporaryFolder()
  home = temporaryFolder()
})
afterAll(() => {
  folder.remove()
  home.remove()
})

const run = (...args: string[]) => runProgram(args, { env: cleanEnv(home.path), limit: 240_000 })

describe.each(['00-printing-service', '27-examine'])('the built-in lesson %s', { timeout: 300_000 }, name => {
  it('is shown as its file, which is proved and taught from another folder', async () => {
    const { stdout } = await run('learn', 'show', name, '--source')
    expect(stdout).toBe(read(`content/lessons/${name}.yaml`))
    await writeFile(join(folder.path, `${name}.yaml`), stdout)
    const proved = await run('learn', 'test', folder.path, '--yes')
    expect(proved.code, proved.stdout + proved.stderr).toBe(0)
    const started = await run('learn', 'show', name, '--lessons', folder.path)
    expect(started.stdout).toBe((await run('learn', 'show', name)).stdout)
  })
})

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { programInHome } from '../../../commands/support.js'
import { entry, har } from '../../../judge/explain/recording.js'
import { describeWith } from '../../../support/requires.js'

describeWith(['python3', 'zip'], 'a zip archive of another program', () => {
  const { home, oauthLab, written } = programInHome()

  /** Returns the output of `explain` for the archive that a command makes of `login.har`. */
  async function explained(...command: readonly [string, ...string[]]): Promise<string> {
    const refused = { status: 400, json: { error: 'invalid_grant' } }
    written(
      'login.har',
      har([entry(1, 'POST', 'https://id.example/token', refused, { form: 'grant_type=x' })]),
    )
    execFileSync(command[0], command.slice(1), { cwd: home() })
    const { stdout, stderr } = await oauthLab('explain', `${home()}/made.zip`)
    return stdout + stderr
  }

  it.each([
    [
      'has ZIP64 sizes',
      `with z.open('login.har', 'w', force_zip64=True) as f: f.write(har)`,
      'invalid_grant',
    ],
    [
      'has 70,000 files',
      `[z.writestr(f'resources/{i}.html', 'x') for i in range(70000)]; z.writestr('login.har', har)`,
      'invalid_grant',
    ],
    [
      'is a bomb',
      `with z.open('login.har', 'w', force_zip64=True) as f: [f.write(bytes(1 << 20)) for i in range(2049)]`,
      'login.har has more than 2 GB',
    ],
    [
      'is a bomb that hides its size',
      `z.writestr('login.har', bytes(1 << 28)); z.filelist[0].file_size = 1000`,
      'login.har is damaged',
    ],
  ])('that %s is read within bounds', async (_, line, words) => {
    const lines = [
      'import zipfile',
      `har = open('login.har', 'rb').read()`,
      `z = zipfile.ZipFile('made.zip', 'w', zipfile.ZIP_DEFLATED, compresslevel=1)`,
      line,
      'z.close()',
    ]
    expect(await explained('python3', '-c', lines.join('\n'))).toContain(words)
  })

  it('that was streamed is read, and refused in words where it is cut', async () => {
    expect(await explained('sh', '-c', 'zip -q - login.har | cat > made.zip')).toContain('invalid_grant')
    const { length } = readFileSync(`${home()}/made.zip`)
    for (const end of [60, length - 90, length - 1])
      expect(await explained('truncate', '-s', `${end}`, 'made.zip')).toContain('zip archive cannot be read')
  })
})

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** Writes the YAML files of each folder of `content` as one file of JSON, by their paths: a command would spend longer on YAML than on its work. */
export function packContent(root, dist) {
  const content = join(root, 'content')
  rmSync(join(dist, 'content'), { recursive: true, force: true })
  mkdirSync(join(dist, 'content'))
  for (const folder of readdirSync(content)) {
    const files = readdirSync(join(content, folder), { recursive: true, encoding: 'utf8' }).filter(file =>
      file.endsWith('.yaml'),
    )
    const values = files.sort().map(file => {
      const text = readFileSync(join(content, folder, file), 'utf8')
      return [file.replaceAll('\\', '/').replace(/\.yaml$/, ''), parse(text)]
    })
    if (values.length > 0)
      writeFileSync(join(dist, 'content', `${folder}.json`), JSON.stringify(Object.fromEntries(values)))
  }
}

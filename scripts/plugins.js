import { join, relative } from 'node:path'

/** Files of ours find what lies near them by `import.meta.url`; as parts of a chunk they have to say where they were. */
export function ownPlaces(root) {
  return {
    name: 'own-places',
    transform: {
      filter: { id: /[\\/]src[\\/].*\.tsx?$/, code: 'import.meta.url' },
      handler(code, id) {
        const place = relative(join(root, 'src'), id).replaceAll('\\', '/')
        return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`)
      },
    },
  }
}

/** Changes lines of a package; one that is no longer there has to be looked at again. */
function changed(name, id, lines) {
  return {
    name,
    transform: {
      filter: { id },
      handler(code, file) {
        return Object.entries(lines).reduce((text, [line, instead]) => {
          if (!text.includes(line)) throw new Error(`${file} has no longer: ${line}`)
          return text.replace(line, () => instead)
        }, code)
      },
    },
  }
}

export const packageChanges = [
  // Commander starts programs for subcommands that are files of their own; we have none.
  changed('no-executables', /[\\/]commander[\\/]lib[\\/]command\.js$/, {
    "const childProcess = require('node:child_process');": '',
  }),
  // Where DEV is set Ink asks for the developer tools of React, which are no part of the program.
  changed('no-devtools', /[\\/]ink[\\/]build[\\/]reconciler\.js$/, { "await import('./devtools.js');": '' }),
  // Making a segmenter, and reading a pattern with RGI_Emoji, takes half of the time in which Node starts each. Most
  // texts are measured without them: those of src/render/text.ts `narrow` are as wide as they are long.
  changed('late-emoji', /[\\/]string-width[\\/]index\.js$/, {
    'const segmenter = new Intl.Segmenter();':
      'let made; const segmenter = { segment: text => (made ??= new Intl.Segmenter()).segment(text) };',
    'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;':
      "let emoji; const rgiEmojiRegex = { test: text => (emoji ??= new RegExp('^\\\\p{RGI_Emoji}$', 'v')).test(text) };",
    '/^[\\u0020-\\u007E]*$/': '/^[\\x20-\\x7e\\u2500-\\u259f§·•…←→⇄►◄●○✓✗]*$/',
  }),
]

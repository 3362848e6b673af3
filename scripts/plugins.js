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

/** Changes lines of a file; one that is no longer there has to be looked at again. */
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

export const changes = [
  // Imported by a variable, for the sake of its types; here it has to be seen to become part of the program.
  changed('xml-parser', /[\\/]src[\\/]authorization-server[\\/]assertions[\\/]xml\.ts$/, {
    'import(parserPackage)': "import('@xmldom/xmldom')",
  }),
  // Commander starts programs for subcommands that are files of their own; we have none.
  changed('no-executables', /[\\/]commander[\\/]lib[\\/]command\.js$/, {
    "const childProcess = require('node:child_process');": '',
  }),
  // Where DEV is set Ink asks for the developer tools of React, which are no part of the program.
  changed('no-devtools', /[\\/]ink[\\/]build[\\/]reconciler\.js$/, {
    "await import('./devtools.js');": '',
    'isDev()\n    ? await loadPackageJson()\n    : {': '{',
  }),
  // Making a segmenter, and reading a pattern with RGI_Emoji, takes half of the time in which Node starts each. Most
  // texts are measured without them: those of src/render/text.ts `narrow` are as wide as they are long.
  changed('late-emoji', /[\\/]string-width[\\/]index\.js$/, {
    'const segmenter = new Intl.Segmenter();':
      'let made; const segmenter = { segment: text => (made ??= new Intl.Segmenter()).segment(text) };',
    'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;':
      "let emoji; const rgiEmojiRegex = { test: text => (emoji ??= new RegExp('^\\\\p{RGI_Emoji}$', 'v')).test(text) };",
    '/^[\\u0020-\\u007E]*$/': '/^[\\x20-\\x7e\\u2500-\\u259f§·•…←→⇄►◄●○✓✗]*$/',
  }),
  // Asking for Node's own Headers makes Node load its whole HTTP client beside ours.
  changed('own-headers', /[\\/]undici[\\/]lib[\\/]web[\\/]cookies[\\/]index\.js$/, {
    '[Headers, globalThis.Headers].filter(Boolean)': '[Headers]',
  }),
  // Ink takes every line of every frame apart into characters and puts them together again, which is most of its work. A
  // frame of ours is one text whose lines are cut and styled each for itself (src/tui/screen/frame-view.tsx): it is whole.
  changed('whole-frame', /[\\/]ink[\\/]build[\\/]output\.js$/, {
    '    get() {': `
      get() {
        const [first, ...more] = this.operations
        if (more.length === 0 && first?.type === 'write' && first.x === 0 && first.y === 0) {
          const styled = (line, n) => first.transformers.reduce((text, transform) => transform(text, n), line)
          const lines = first.text.split('\\n').slice(0, this.height)
          const blank = Array.from({ length: this.height - lines.length }, () => '')
          const output = [...lines.map((line, n) => styled(line, n).trimEnd()), ...blank].join('\\n')
          return { output, height: this.height }
        }`,
  }),
  // Before, it looks at every character for sequences that a layout cannot bear, twice. Colours alone are none of those.
  changed('colours-are-safe', /[\\/]ink[\\/]build[\\/]sanitize-ansi\.js$/, {
    'if (!hasAnsiControlCharacters(text))':
      "if (!hasAnsiControlCharacters(text.replace(/\\x1b\\[[\\d;]*m/g, '')))",
  }),
  // Yoga waits for its WebAssembly, which it has Node fetch with a whole HTTP client, from a data URL. Made at once it
  // takes a fifth of the time, and nothing in the program waits at its top level: it can be CommonJS.
  changed('yoga-at-once', /[\\/]yoga-layout[\\/]dist[\\/]src[\\/]index\.js$/, {
    'const Yoga = wrapAssembly(await loadYoga());':
      'const assembly = {}; loadYoga(assembly); const Yoga = wrapAssembly(assembly);',
  }),
  changed('yoga-bytes', /[\\/]yoga-wasm-base64-esm\.js$/, {
    'if(h.instantiateWasm)try': `
      h.instantiateWasm = (imports, done) => {
        const bytes = Buffer.from(H.slice(H.indexOf(',') + 1), 'base64')
        const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports)
        done(instance)
        return instance.exports
      };
      if(h.instantiateWasm)try`,
  }),
]

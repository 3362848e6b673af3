import type { WordList } from './word-lists.js'

/** A word in single quotes, as fish reads it. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function lines({ place, words, files }: WordList): string[] {
  const entries = words.map(({ word, summary }) => quoted(summary === '' ? word : `${word}\t${summary}`))
  return [
    `    case ${quoted(place)}`,
    `      printf '%s\\n' ${[...entries, ...(files ? ['@files'] : [])].join(' ')}`,
  ]
}

/** Completion for fish, with what the words mean. */
export function fishCompletion(lists: readonly WordList[]): string {
  return `# fish completion of oauth-lab.  Now:     oauth-lab completion fish | source
# Always:  oauth-lab completion fish > ~/.config/fish/completions/oauth-lab.fish

# What can be typed at a place, a line each, its meaning behind a tab.
function __oauth_lab_list
  switch $argv[1]
${lists.flatMap(lines).join('\n')}
  end
end

function __oauth_lab_complete
  set -l at ''
  set -l option ''
  for word in (commandline -opc)[2..-1]
    if test -n "$option"
      set option ''
    else if string match -q -- '-*' $word
      contains -- $word (__oauth_lab_list "$at/valued") (__oauth_lab_list /valued); and set option $word
    else if contains -- $word (__oauth_lab_list "$at/commands" | string replace -r '\\t.*' '')
      set at (string trim -- "$at $word")
    end
  end
  set -l current (commandline -ct)
  set -l found
  if test -n "$option"
    set found (__oauth_lab_list "$at/$option")
    test -n "$found"; or set found (__oauth_lab_list "/$option")
  else if string match -q -- '-*' $current
    set found (__oauth_lab_list "$at/options") (__oauth_lab_list /options)
  else
    set found (__oauth_lab_list "$at/commands") (__oauth_lab_list "$at/arguments")
    test -n "$found"; or set found (__oauth_lab_list "$at/options")
  end
  if contains -- @files $found
    __fish_complete_path $current
  else if test -n "$found"
    printf '%s\\n' $found
  end
end

complete -c oauth-lab -f -a '(__oauth_lab_complete)'
`
}

import type { WordList } from './word-lists.js'

/** A word in single quotes. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

function line({ place, words, files }: WordList): string {
  const list = [...words.map(each => each.word), ...(files ? ['@files'] : [])]
  return `    ${quoted(place)}) REPLY=${quoted(list.join(' '))} ;;`
}

/** Completion for bash 3.2 and later. */
export function bashCompletion(lists: readonly WordList[]): string {
  return `# bash completion of oauth-lab.  Now:     eval "$(oauth-lab completion bash)"
# Always:  oauth-lab completion bash > ~/.local/share/bash-completion/completions/oauth-lab

# What can be typed at a place, into REPLY.
_oauth_lab_list() {
  REPLY=
  case $1 in
${lists.map(line).join('\n')}
  esac
}

_oauth_lab() {
  local cur=\${COMP_WORDS[COMP_CWORD]} at= option= word i REPLY
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ -n $option ]]; then
      [[ $word == '=' ]] || option=
      continue
    fi
    if [[ $word == -* ]]; then
      _oauth_lab_list "$at/valued"
      local valued=$REPLY
      _oauth_lab_list /valued
      case " $valued $REPLY " in *" $word "*) option=$word ;; esac
    else
      _oauth_lab_list "$at/commands"
      case " $REPLY " in *" $word "*) at="\${at:+$at }$word" ;; esac
    fi
  done
  [[ $cur == '=' ]] && cur=
  local words
  if [[ -n $option ]]; then
    _oauth_lab_list "$at/$option"
    [[ -n $REPLY ]] || _oauth_lab_list "/$option"
    words=$REPLY
  elif [[ $cur == -* ]]; then
    _oauth_lab_list "$at/options"
    words=$REPLY
    _oauth_lab_list /options
    words="$words $REPLY"
  else
    _oauth_lab_list "$at/commands"
    words=$REPLY
    _oauth_lab_list "$at/arguments"
    words="$words $REPLY"
    if [[ $words == ' ' ]]; then
      _oauth_lab_list "$at/options"
      words=$REPLY
    fi
  fi
  if [[ " $words " == *' @files '* ]]; then
    compopt -o filenames 2>/dev/null
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  fi
}

complete -F _oauth_lab oauth-lab
`
}

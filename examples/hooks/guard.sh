#!/bin/sh
# Refuses commands that delete whole folders. Reads one JSON object from stdin; exit code 2 denies,
# and the model is told what stands on stderr.
case "$(cat)" in
    *'rm -rf'* | *'rm -fr'*)
        echo 'rm -rf is not allowed here' >&2
        exit 2
        ;;
esac

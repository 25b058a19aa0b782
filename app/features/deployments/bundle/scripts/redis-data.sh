# shellcheck shell=sh
# The part of apply.sh and update.sh that has Redis's data go back with its image: an older Redis may not read what a newer
# one has saved, and each saves when it is stopped.
# keep_redis_data FOLDER: stops Redis, so that it saves, and keeps what it has saved.
keep_redis_data() {
  docker compose stop redis || return 1
  rm -rf "$1" "$1.new"
  mkdir "$1.new"
  [ ! -e data/redis/dump.rdb ] || cp -p data/redis/dump.rdb "$1.new/" || return 1
  sync
  mv "$1.new" "$1"
}
# put_redis_data_back FOLDER: nothing where the change did not come so far that it was kept.
put_redis_data_back() {
  [ -d "$1" ] || return 0
  docker compose stop redis || true
#if CLUSTER
  rm -rf data/redis/appendonlydir
#end
  if [ -e "$1/dump.rdb" ]; then
    cp -p "$1/dump.rdb" data/redis/dump.rdb.new
    mv data/redis/dump.rdb.new data/redis/dump.rdb
    say "Redis has its data from before again. Trunks, dispatch rules and ingresses that were made since are lost."
  elif [ -e data/redis/dump.rdb ]; then
    mv data/redis/dump.rdb data/redis/dump.rdb.aside
    say "Redis had no data before. What was saved since is set aside in data/redis/dump.rdb.aside: trunks, dispatch rules and ingresses in it are lost."
  fi
#if CLUSTER
  mkdir -p state/edge && : >state/edge/redis-went-back
#end
  sync
}

"""Parts of the web server that know no table: access, caching, polling, garbage collection."""

#include <stdio.h>
#include "sqlite3.h"
int rows;
int failures;
static int row(void *unused, int n, char **values, char **names) {
    int i;
    (void)unused;
    (void)names;
    for (i = 0; i < n; i++) printf("%s|", values[i] ? values[i] : "NULL");
    printf("\n");
    rows++;
    return 0;
}
static void run(sqlite3 *db, const char *sql) {
    char *message = 0;
    if (sqlite3_exec(db, sql, row, 0, &message) != SQLITE_OK) {
        printf("error: %s\n", message);
        sqlite3_free(message);
        failures = failures + 1;
    }
}
int main(void) {
    sqlite3 *db;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK) return 2;
    run(db, "create table t(a integer primary key, b text, c real)");
    run(db, "with recursive n(i) as (select 1 union all select i + 1 from n where i < 500) insert into t select i, 'row ' || i, i / 7.0 from n");
    run(db, "create index u on t(c, b)");
    run(db, "select count(*), sum(a), round(avg(c), 6), group_concat(b) from t where a % 37 = 0");
    run(db, "select b, c from t where c between 3 and 4 order by c desc, b limit 5 offset 2");
    run(db, "update t set b = upper(b) where a < 10; delete from t where a > 20");
    run(db, "select x.b, y.a from t x left join t y on y.a = x.a * 2 order by 1");
    run(db, "select nothing from nowhere");
    run(db, "select json_extract('{\"a\":[1,2,{\"b\":3}]}', '$.a[2].b'), strftime('%Y', 0, 'unixepoch')");
    run(db, "begin; insert into t values(1000, 'x', 1e10); rollback; select count(*) from t; pragma integrity_check");
    printf("%d rows, %d failures\n", rows, failures);
    return sqlite3_close(db);
}

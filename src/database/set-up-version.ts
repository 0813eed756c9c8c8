/** Another text for each set-up of processes that is stored: `migrations/0.3/set-up-versions.sql`. */
export const setUpVersion = '(select sum(version)::text from set_up_version)';

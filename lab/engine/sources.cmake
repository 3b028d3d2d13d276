# What the engine of the laboratory takes from `models`, `solvers/case` and `lib/stoss/io`. Tests link it for this machine
# from these alone.
set(lab_models beam beam_body beam_checks beam_collision beam_matrices beam_model checked_beam_model collide_many
  collision_bodies compliant_spheres contact_pair contact_parameters law_materials mode_choice other_programs parts
  rigid_contact rigid_motion section single_impact sliding_rod steep_sections struck_beam theory_limits truncation)
set(lab_case beam_binding collision_columns collision_ending contact_binding limit_warnings)
set(lab_io bind describe document json units yaml_writer)
# Sources of lib/stoss/impact that the page does not use.
set(lab_without_impact bead_approximation bouncing_ball compliant_impact contact_work explicit_collision infinite_structure pendulums)
